package view

type jobs struct{}
