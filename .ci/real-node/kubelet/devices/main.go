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

const usage = `usage: devices [--cdi KIND] RESOURCE COUNT NAME=VALUE...
Offers so many of a resource, whose containers get the variables, and with --cdi the devices KIND=0, KIND=1 ... of CDI, those that they were given.`

type plugin struct {
	api.UnimplementedDevicePluginServer
	devices     []*api.Device
	environment map[string]string
	kind        string
	ended       context.Context
}

func main() {
	arguments, kind := os.Args[1:], ""
	if len(arguments) > 1 && arguments[0] == "--cdi" {
		arguments, kind = arguments[2:], arguments[1]
	}
	if len(arguments) < 2 {
		fail(usage)
	}
	ended, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	resource := arguments[0]
	var count int
	if _, err := fmt.Sscan(arguments[1], &count); err != nil {
		fail(usage)
	}
	offered := &plugin{environment: map[string]string{}, kind: kind, ended: ended}
	for i := range count {
		offered.devices = append(offered.devices, &api.Device{ID: fmt.Sprint(i), Health: api.Healthy})
	}
	for _, variable := range arguments[2:] {
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
	for _, container := range asked.ContainerRequests {
		response := &api.ContainerAllocateResponse{Envs: offered.environment}
		if offered.kind != "" {
			for _, device := range container.DevicesIds {
				response.CdiDevices = append(response.CdiDevices, &api.CDIDevice{Name: offered.kind + "=" + device})
			}
		}
		given.ContainerResponses = append(given.ContainerResponses, response)
	}
	return given, nil
}
