// Kubelet's own code for dynamic resource allocation, without the rest of kubelet: the watcher of the registry, the registration of
// plugins, the manager that has claims prepared and taken back, and its checkpoint. Our node agent is held against it.
//
// usage: kubelet-plugins --kubelet DIRECTORY --node NAME --api URL [--active NAMESPACE/POD]...
//
// The directory is kubelet's: its registry is plugins_registry below it, the checkpoint dra_manager_state is in it. Pods that are named
// are running when it starts. On stdin comes a command a line; for each, a line goes to stdout: "ok", with what is told, or "error" and why.
//
//	registered DRIVER         waits until the driver is registered
//	unregistered DRIVER       waits until it is not
//	prepare NAMESPACE/POD     has the claims of a pod prepared, as before its start; tells the CDI devices of its containers
//	unprepare NAMESPACE/POD   has them taken back, as after its end
//	end NAMESPACE/POD         the same again and again until it goes well, as kubelet does with a pod that ends
//	prepared NAMESPACE/POD    tells whether something of the pod is to be taken back
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
	registerapi "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
	"k8s.io/kubernetes/pkg/kubelet/cm/dra"
	draplugin "k8s.io/kubernetes/pkg/kubelet/cm/dra/plugin"
	"k8s.io/kubernetes/pkg/kubelet/config"
	"k8s.io/kubernetes/pkg/kubelet/pluginmanager"
)

const (
	patience = 40 * time.Second
	pause    = 50 * time.Millisecond
)

var version = "unknown"

// kubelet is what there is of one.
type kubelet struct {
	client  clientset.Interface
	manager *dra.Manager
	lock    sync.Mutex
	pods    map[string]*v1.Pod
}

func main() {
	directory := flag.String("kubelet", "", "kubelet's directory")
	node := flag.String("node", "", "name of the node")
	api := flag.String("api", "", "URL of the API server")
	told := flag.Bool("version", false, "prints the version of Kubernetes")
	var active []string
	flag.Func("active", "a pod that runs: NAMESPACE/NAME", func(pod string) error {
		active = append(active, pod)
		return nil
	})
	klog.InitFlags(nil)
	flag.Parse()
	if *told {
		fmt.Println(version)
		return
	}
	k, err := start(*directory, *node, *api, active)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		words := strings.Fields(in.Text())
		if len(words) != 2 {
			fmt.Println("error not a command and a name: " + in.Text())
			continue
		}
		answer, err := k.run(words[0], words[1])
		if err != nil {
			fmt.Println("error " + strings.ReplaceAll(err.Error(), "\n", " "))
		} else {
			fmt.Println(strings.TrimSpace("ok " + answer))
		}
	}
}

func start(directory, node, api string, active []string) (*kubelet, error) {
	client, err := clientset.NewForConfig(&rest.Config{Host: api, QPS: 100, Burst: 100})
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	manager, err := dra.NewManager(klog.FromContext(ctx), client, directory)
	if err != nil {
		return nil, err
	}
	k := &kubelet{client: client, manager: manager, pods: map[string]*v1.Pod{}}
	for _, name := range active {
		if _, err := k.pod(name); err != nil {
			return nil, err
		}
	}
	ready := config.NewSourcesReady(func(sets.Set[string]) bool { return true })
	getNode := func(ctx context.Context) (*v1.Node, error) {
		return client.CoreV1().Nodes().Get(ctx, node, metav1.GetOptions{})
	}
	if err := manager.Start(ctx, k.active, getNode, ready); err != nil {
		return nil, err
	}
	plugins := pluginmanager.NewPluginManager(filepath.Join(directory, "plugins_registry"), &record.FakeRecorder{})
	plugins.AddHandler(registerapi.DRAPlugin, manager.GetWatcherHandler())
	go plugins.Run(ctx, ready, ctx.Done())
	return k, nil
}

func (k *kubelet) run(command, name string) (string, error) {
	switch command {
	case "registered":
		return "", k.await(name, true)
	case "unregistered":
		return "", k.await(name, false)
	}
	pod, err := k.pod(name)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	switch command {
	case "prepare":
		if err := k.manager.PrepareResources(ctx, pod); err != nil {
			return "", err
		}
		return k.devices(pod)
	case "unprepare", "end":
		err := k.manager.UnprepareResources(ctx, pod)
		for ; err != nil && command == "end" && ctx.Err() == nil; err = k.manager.UnprepareResources(ctx, pod) {
			time.Sleep(pause)
		}
		if err != nil {
			return "", err
		}
		k.forget(name)
		return "", nil
	case "prepared":
		return fmt.Sprint(k.manager.PodMightNeedToUnprepareResources(pod.UID)), nil
	}
	return "", fmt.Errorf("no such command: %s", command)
}

// await waits for a driver to come or to go.
func (k *kubelet) await(driver string, there bool) error {
	plugins, ok := k.manager.GetWatcherHandler().(*draplugin.DRAPluginManager)
	if !ok {
		return fmt.Errorf("kubelet has another handler of plugins")
	}
	var err error
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(pause) {
		if _, err = plugins.GetPlugin(driver); (err == nil) == there {
			return nil
		}
	}
	return fmt.Errorf("driver %s: %v", driver, err)
}

// pod reads a pod once and remembers it, as kubelet does until it has ended.
func (k *kubelet) pod(name string) (*v1.Pod, error) {
	k.lock.Lock()
	known := k.pods[name]
	k.lock.Unlock()
	if known != nil {
		return known, nil
	}
	namespace, short, _ := strings.Cut(name, "/")
	pod, err := k.client.CoreV1().Pods(namespace).Get(context.Background(), short, metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	k.lock.Lock()
	defer k.lock.Unlock()
	k.pods[name] = pod
	return pod, nil
}

func (k *kubelet) forget(name string) {
	k.lock.Lock()
	defer k.lock.Unlock()
	delete(k.pods, name)
}

func (k *kubelet) active() []*v1.Pod {
	k.lock.Lock()
	defer k.lock.Unlock()
	var pods []*v1.Pod
	for _, pod := range k.pods {
		pods = append(pods, pod)
	}
	return pods
}

// devices are the names of the CDI devices of all containers, sorted. Kubelet names each of them twice once a claim was prepared again
// after its restart, which container runtimes take for one.
func (k *kubelet) devices(pod *v1.Pod) (string, error) {
	names := sets.New[string]()
	for i := range pod.Spec.Containers {
		resources, err := k.manager.GetResources(pod, &pod.Spec.Containers[i])
		if err != nil {
			return "", err
		}
		for _, device := range resources.CDIDevices {
			names.Insert(device.Name)
		}
	}
	return strings.Join(sets.List(names), " "), nil
}
