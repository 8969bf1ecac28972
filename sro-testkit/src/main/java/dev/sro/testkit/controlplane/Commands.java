package dev.sro.testkit.controlplane;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command lines of the components. Everything listens on the loopback interface only. */
final class Commands {
    private final Binaries binaries;
    private final RunDirectory directory;
    private final Credentials credentials;
    private final Ports ports;

    Commands(Binaries binaries, RunDirectory directory, Credentials credentials, Ports ports) {
        this.binaries = binaries;
        this.directory = directory;
        this.credentials = credentials;
        this.ports = ports;
    }

    List<String> of(Component component, List<String> further) {
        List<String> command = new ArrayList<>();
        command.add(binaries.file(component).toString());
        command.addAll(
                switch (component) {
                    case ETCD -> etcd();
                    case API_SERVER -> apiServer();
                    case CONTROLLER_MANAGER -> controllerManager();
                    case SCHEDULER -> scheduler();
                    case KWOK -> kwok();
                });
        command.addAll(further);
        return command;
    }

    private List<String> etcd() {
        String clients = "http://127.0.0.1:" + ports.etcd();
        String peers = "http://127.0.0.1:" + ports.etcdPeer();
        return List.of(
                "--data-dir=" + directory.resolve("etcd"),
                "--listen-client-urls=" + clients,
                "--advertise-client-urls=" + clients,
                "--listen-peer-urls=" + peers,
                "--initial-advertise-peer-urls=" + peers,
                "--initial-cluster=default=" + peers,
                // The data are of use to nobody after a crash of the machine.
                "--unsafe-no-fsync",
                "--log-level=warn");
    }

    private List<String> apiServer() {
        List<String> arguments = new ArrayList<>(List.of(
                "--cert-dir=" + credentials.certificates(),
                "--etcd-servers=http://127.0.0.1:" + ports.etcd(),
                "--bind-address=127.0.0.1",
                "--advertise-address=127.0.0.1",
                "--secure-port=" + ports.apiServer(),
                "--endpoint-reconciler-type=none",
                "--service-cluster-ip-range=10.96.0.0/16",
                "--allow-privileged=true",
                "--authorization-mode=RBAC",
                "--token-auth-file=" + credentials.tokens(),
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-account-signing-key-file=" + credentials.signingKey(),
                "--service-account-key-file=" + credentials.verifyingKey()));
        if (!binaries.has(Component.CONTROLLER_MANAGER)) {
            // Nobody makes service accounts there, and no pod could be created.
            arguments.add("--disable-admission-plugins=ServiceAccount");
        }
        return arguments;
    }

    private List<String> controllerManager() {
        List<String> arguments = client(Component.CONTROLLER_MANAGER, ports.controllerManager());
        arguments.addAll(List.of(
                "--use-service-account-credentials=true",
                "--service-account-private-key-file=" + credentials.signingKey(),
                "--root-ca-file=" + credentials.certificate()));
        return arguments;
    }

    private List<String> scheduler() {
        return client(Component.SCHEDULER, ports.scheduler());
    }

    private List<String> client(Component component, int port) {
        return new ArrayList<>(List.of(
                "--kubeconfig=" + credentials.kubeconfig(component),
                "--leader-elect=false",
                "--bind-address=127.0.0.1",
                "--secure-port=" + port,
                // The API server's, so that there is one certificate to trust.
                "--tls-cert-file=" + credentials.certificate(),
                "--tls-private-key-file=" + credentials.certificateKey(),
                "--authentication-skip-lookup=true",
                // As much as is needed for nothing to wait for this client.
                "--kube-api-qps=500",
                "--kube-api-burst=1000"));
    }

    private List<String> kwok() {
        return List.of(
                "--kubeconfig=" + credentials.kubeconfig(Component.KWOK),
                "--config=" + stages(),
                "--manage-all-nodes=true",
                "--node-lease-duration-seconds=40",
                "--server-address=127.0.0.1:" + ports.kwok());
    }

    /** Where the stages for KWOK are. */
    Path stages() {
        return directory.resolve("stages.yaml");
    }
}
