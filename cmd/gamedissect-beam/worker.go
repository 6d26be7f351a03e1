package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
)

// provision is the flag with which a runner starts a process as a worker. Beam's own flags do not include it. Usually
// Beam's boot program handles the flag, gets the program from the runner and starts it. Here the program is already
// there.
var provision = flag.String("provision_endpoint", "", "where a worker gets its instructions; set by runners")

// becomeWorker makes this process a worker if a runner has started it because of --environment_type=PROCESS. It asks
// the runner for values that Beam's worker flags do not have.
func becomeWorker(ctx context.Context) error {
	if *provision == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(grpcx.WriteWorkerID(ctx, flag.Lookup("id").Value.String()), time.Minute)
	defer cancel()
	info, err := tools.ProvisionInfo(ctx, *provision)
	if err != nil {
		return fmt.Errorf("--provision_endpoint %s: %w", *provision, err)
	}
	for name, value := range map[string]string{
		"worker":           "true",
		"logging_endpoint": info.GetLoggingEndpoint().GetUrl(),
		"control_endpoint": info.GetControlEndpoint().GetUrl(),
	} {
		if err := flag.Set(name, value); err != nil {
			return err
		}
	}
	return os.Setenv("RUNNER_CAPABILITIES", strings.Join(info.GetRunnerCapabilities(), " "))
}

// chooseWorkerBinary sets --worker_binary if it is not given. Otherwise Beam would compile the program again, and would
// need the sources. A process that a runner starts because of PROCESS is the program already, and needs no copy.
func chooseWorkerBinary() error {
	switch {
	case *jobopts.WorkerBinary != "":
		return nil
	case strings.EqualFold(*jobopts.EnvironmentType, "process"):
		*jobopts.WorkerBinary = os.DevNull
		return nil
	case runtime.GOOS != "linux":
		return nil
	}
	var err error
	*jobopts.WorkerBinary, err = os.Executable()
	return err
}
