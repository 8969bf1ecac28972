// Command devices is a device plugin without devices: kubelet gets one of a resource from it, for as long as it runs.
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	api "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
)

const usage = "usage: devices RESOURCE COUNT NAME=VALUE...   offers so many of a resource, whose containers get the variables"

type plugin struct {
	api.UnimplementedDevicePluginServer
	devices     []*api.Device
	environment map[string]string
	ended       context.Context
}

func main() {
	if len(os.Args) < 3 {
		fail(usage)
	}
	ended, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	resource := os.Args[1]
	var count int
	if _, err := fmt.Sscan(os.Args[2], &count); err != nil {
		fail(usage)
	}
	offered := &plugin{environment: map[string]string{}, ended: ended}
	for i := range count {
		offered.devices = append(offered.devices, &api.Device{ID: fmt.Sprint("device-", i), Health: api.Healthy})
	}
	for _, variable := range os.Args[3:] {
		name, value, _ := strings.Cut(variable, "=")
		offered.environment[name] = value
	}

	socket := strings.ReplaceAll(resource, "/", "-") + ".sock"
	path := filepath.Join(api.DevicePluginPath, socket)
	os.Remove(path)
	listener, err := net.Listen("unix", path)
	if err != nil {
		fail(err)
	}
	server := grpc.NewServer()
	api.RegisterDevicePluginServer(server, offered)
	go server.Serve(listener)
	register(ended, resource, socket)
	fmt.Println("registered", resource)
	<-ended.Done()
	server.Stop()
	os.Remove(path)
}

func register(ended context.Context, resource, socket string) {
	connection, err := grpc.NewClient("unix://"+api.KubeletSocket, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		fail(err)
	}
	defer connection.Close()
	limited, cancel := context.WithTimeout(ended, 10*time.Second)
	defer cancel()
	_, err = api.NewRegistrationClient(connection).Register(limited, &api.RegisterRequest{
		Version: api.Version, Endpoint: socket, ResourceName: resource, Options: &api.DevicePluginOptions{}})
	if err != nil {
		fail(err)
	}
}

func fail(message any) {
	fmt.Fprintln(os.Stderr, "devices:", message)
	os.Exit(2)
}

func (offered *plugin) GetDevicePluginOptions(context.Context, *api.Empty) (*api.DevicePluginOptions, error) {
	return &api.DevicePluginOptions{}, nil
}

func (offered *plugin) ListAndWatch(_ *api.Empty, stream api.DevicePlugin_ListAndWatchServer) error {
	if err := stream.Send(&api.ListAndWatchResponse{Devices: offered.devices}); err != nil {
		return err
	}
	select {
	case <-offered.ended.Done():
	case <-stream.Context().Done():
	}
	return nil
}

func (offered *plugin) Allocate(_ context.Context, asked *api.AllocateRequest) (*api.AllocateResponse, error) {
	given := &api.AllocateResponse{}
	for range asked.ContainerRequests {
		given.ContainerResponses = append(given.ContainerResponses, &api.ContainerAllocateResponse{Envs: offered.environment})
	}
	return given, nil
}
