package live

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"
	"runtime"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/gamedissect/gamedissect/capture"
)

// socketsVariable is the environment variable that lists the descriptors of the sockets that the program opened before
// it dropped its privileges.
const socketsVariable = "GAMEDISSECT_SOCKETS"

// liveSockets returns n sockets to capture with. It opens them with the privileges that the program was started with.
// The program then restarts itself with the sockets, without any privileges, as the user of -Z. So no thread that reads
// packets ever has more privileges than it needs to read.
func liveSockets(as string, n int) ([]int, error) {
	if text := os.Getenv(socketsVariable); text != "" {
		return givenSockets(text, n)
	}
	var fds []int
	for range n {
		fd, err := capture.OpenSocket()
		if errors.Is(err, capture.ErrRights) {
			return nil, withRight()
		}
		if err != nil {
			return nil, fmt.Errorf("a packet socket cannot be opened: %w", err)
		}
		fds = append(fds, fd)
	}
	id, err := whoToBe(as)
	if err != nil {
		return nil, err
	}
	if err := hide(); err != nil {
		return nil, err
	}
	return nil, startAgain(fds, id)
}

// givenSockets returns the descriptors that the environment passes to the restarted program.
func givenSockets(text string, n int) (fds []int, err error) {
	for word := range strings.SplitSeq(text, ",") {
		fd, err := strconv.Atoi(word)
		if err != nil || fd <= 2 {
			return nil, fmt.Errorf("%s=%s in the environment is not a list of sockets", socketsVariable, text)
		}
		fds = append(fds, fd)
	}
	if len(fds) != n {
		return nil, fmt.Errorf("%s=%s in the environment: there are %d interfaces", socketsVariable, text, n)
	}
	if rightsLeft() {
		return nil, errors.New("the program dropped its privileges, but got some back when it restarted itself")
	}
	if err := hide(); err != nil {
		return nil, err
	}
	// Otherwise the process has the number of a descriptor as its name, see unreadable.
	name, err := unix.BytePtrFromString("gamedissect")
	if err == nil {
		_ = unix.Prctl(unix.PR_SET_NAME, uintptr(unsafe.Pointer(name)), 0, 0, 0)
	}
	for _, fd := range fds {
		unix.CloseOnExec(fd)
	}
	return fds, os.Unsetenv(socketsVariable)
}

// Paths of installed files. The script "allowing" makes "capturing", a copy of the program that has CAP_NET_RAW and
// that only the members of a group may run.
const (
	packaged  = "/usr/bin/gamedissect"
	capturing = "/usr/libexec/gamedissect/gamedissect"
	allowing  = "/usr/libexec/gamedissect/live-capture"
)

// withRight executes the copy of the program that has the right to capture, provided that the user may run it. It
// returns only on failure. Its error says what to do.
func withRight() error {
	program, err := os.Executable()
	if err != nil {
		program = "gamedissect"
	}
	if program != packaged { // true for the copy too: if it lacked the capability, it would execute itself again and again
		return fmt.Errorf("capturing needs CAP_NET_RAW: run 'sudo setcap cap_net_raw=ep %s' once, "+
			"or use sudo; the program drops root's privileges at once", program)
	}
	err = unix.Exec(capturing, os.Args, os.Environ())
	if errors.Is(err, fs.ErrPermission) {
		return errors.New("only members of the group gamedissect may capture: run 'sudo usermod -aG gamedissect USER' and " +
			"log in again, or use sudo; the program drops root's privileges at once")
	}
	return fmt.Errorf("capturing needs CAP_NET_RAW: 'sudo %s yes' grants it to members of the group "+
		"gamedissect; or use sudo; the program drops root's privileges at once", allowing)
}

// An identity is a user that the program becomes.
type identity struct {
	uid, gid int
	groups   []uint32
}

// whoToBe returns the user of -Z or, without -Z, the user who called sudo. nil means that the user does not change.
func whoToBe(as string) (*identity, error) {
	by := user.Lookup
	if as == "" {
		if as = os.Getenv("SUDO_UID"); os.Getuid() != 0 || as == "" || as == "0" {
			return nil, nil //nolint:nilnil // nil: not a failure
		}
		by = user.LookupId
	}
	u, err := by(as)
	if err != nil {
		return nil, fmt.Errorf("-Z %s: there is no such user", as)
	}
	id := &identity{}
	if id.uid, err = strconv.Atoi(u.Uid); err == nil {
		id.gid, err = strconv.Atoi(u.Gid)
	}
	if err != nil {
		return nil, fmt.Errorf("-Z %s: %w", as, err)
	}
	id.groups = []uint32{uint32(id.gid)}
	return id, nil
}

// startAgain drops all privileges on the current thread, and executes the new program on that thread. It returns only
// on failure.
func startAgain(fds []int, id *identity) error {
	program := unreadable()
	runtime.LockOSThread() // never unlocked, because this thread now lacks the privileges
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("cannot drop privileges: %w", os.NewSyscallError("prctl PR_SET_NO_NEW_PRIVS", err))
	}
	if id != nil {
		if err := id.become(); err != nil {
			return err
		}
	}
	_ = unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) // does not exist before Linux 4.3
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	// For a user other than root, an error is harmless: the new program has no capabilities anyway. A filter of system
	// calls may cause the error.
	if err := unix.Capset(&header, &none[0]); err != nil && unix.Geteuid() == 0 {
		return fmt.Errorf("cannot drop privileges: %w", os.NewSyscallError("capset", err))
	}
	var list []string
	for _, fd := range fds {
		list = append(list, strconv.Itoa(fd))
	}
	environment := append(os.Environ(), socketsVariable+"="+strings.Join(list, ","))
	err := unix.Exec(program, os.Args, environment)
	return fmt.Errorf("cannot restart without privileges: %w",
		os.NewSyscallError("execve "+program, err))
}

// hide prevents other processes of the same user from taking over the sockets (pidfd_getfd, ptrace). Such a process
// could send packets, since no option of a packet socket forbids that.
func hide() error {
	return os.NewSyscallError("prctl PR_SET_DUMPABLE", unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0))
}

// unreadable returns the path of a copy of the program that can be executed but not read. A process that runs such a
// file is protected from its start, as if it had called hide. A process that runs a readable file is not protected
// until it calls hide. If making a copy fails, unreadable returns the program's own path.
func unreadable() string {
	const program = "/proc/self/exe"
	from, err := os.Open(program)
	if err != nil {
		return program
	}
	defer from.Close()
	fd, err := unix.MemfdCreate("gamedissect", unix.MFD_CLOEXEC|unix.MFD_EXEC)
	if errors.Is(err, unix.EINVAL) { // before Linux 6.3, which has no such flag, every memfd is executable
		fd, err = unix.MemfdCreate("gamedissect", unix.MFD_CLOEXEC)
	}
	if err != nil {
		return program
	}
	copied := os.NewFile(uintptr(fd), "copy")
	defer copied.Close() // a file open for writing cannot be executed
	if _, err = io.Copy(copied, from); err == nil {
		err = copied.Chmod(0o111)
	}
	if err != nil {
		return program
	}
	path, err := unix.Open("/proc/self/fd/"+strconv.Itoa(fd), unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return program
	}
	return "/proc/self/fd/" + strconv.Itoa(path)
}

// IsRoot reports whether the program still runs as the user root. By then it has dropped the privileges of root, but it
// can still access root's files.
func IsRoot() bool { return os.Getuid() == 0 }

// WithoutRights adds an explanation to errors caused by the lack of the privileges that the program dropped.
func WithoutRights(err error) error {
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	name := "user " + strconv.Itoa(os.Getuid())
	if u, bad := user.Current(); bad == nil {
		name = u.Username
	}
	return errors.Join(err, fmt.Errorf("the program dropped its privileges after it opened the packet socket, "+
		"so it opens files as %s: choose a folder that %s may write to, or another user with -Z", name, name))
}

func rightsLeft() bool {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var have [2]unix.CapUserData
	if err := unix.Capget(&header, &have[0]); err != nil {
		return false // unknown; Capget itself needs no privilege
	}
	return have[0].Permitted|have[0].Effective|have[1].Permitted|have[1].Effective != 0
}

// become changes groups and user of the current thread only. Go's functions change all threads, but only this thread
// executes the new program.
func (id *identity) become() error {
	if _, _, e := unix.RawSyscall(unix.SYS_SETGROUPS, uintptr(len(id.groups)), uintptr(unsafe.Pointer(&id.groups[0])),
		0); e != 0 {
		return fmt.Errorf("-Z: groups cannot be changed (this needs CAP_SETGID): %w", e)
	}
	if _, _, e := unix.RawSyscall(unix.SYS_SETRESGID, uintptr(id.gid), uintptr(id.gid), uintptr(id.gid)); e != 0 {
		return fmt.Errorf("-Z: the group cannot be changed (this needs CAP_SETGID): %w", e)
	}
	if _, _, e := unix.RawSyscall(unix.SYS_SETRESUID, uintptr(id.uid), uintptr(id.uid), uintptr(id.uid)); e != 0 {
		return fmt.Errorf("-Z: the user cannot be changed (this needs CAP_SETUID): %w", e)
	}
	return nil
}
