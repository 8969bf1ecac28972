package dev.sro.runtime;

import dev.sro.core.plugin.PluginHost;
import dev.sro.core.plugin.PluginHostConfig;
import dev.sro.testkit.http.HttpFront;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A sandbox with the simple-kmod plugin that commands reach by a kubeconfig. Confined to one thread. */
public final class HttpSandbox implements AutoCloseable {
    private static final String RESOURCE = """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: %s}
            spec:
              namespace: %1$s
              plugin: {name: simple-kmod}
              nodeSelector: {example.com/device: "%1$s"}
              driverContainer: {source: {git: {uri: "https://git.example.com/simple-kmod.git", ref: main}}}
            """;

    /** The cluster. */
    public final SroSandbox sandbox;

    /** Where the kubeconfig is. */
    public final String kubeconfig;

    private final PluginHost host;

    /** Makes one; writes plugin and kubeconfig to this folder. */
    public HttpSandbox(Path folder) throws IOException {
        host = PluginHost.open(PluginHostConfig.builder()
                .directory(Cli.plugins(Files.createDirectories(folder.resolve("plugins"))))
                .sroVersion(SroVersion.current())
                .build());
        sandbox = SroSandbox.create(false, host);
        HttpFront front = sandbox.cluster().serveHttp(0);
        kubeconfig = Files.writeString(folder.resolve("kubeconfig"), front.kubeconfig())
                .toString();
    }

    /** A special resource of this name, for nodes with a device of this name. */
    public static String resource(String name) {
        return RESOURCE.formatted(name);
    }

    /** Runs a command on the cluster. */
    public Cli run(String command, String... args) {
        return Cli.run(Stream.concat(Stream.of(command, "--kubeconfig", kubeconfig), Stream.of(args))
                .toArray(String[]::new));
    }

    /** Makes a node with a device of this name. */
    public void node(String name, String device) {
        sandbox.nodes().create(name, NodeProfile.of(OsRelease.RHEL_9).withLabel("example.com/device", device));
    }

    @Override
    public void close() {
        sandbox.close();
        host.close();
    }
}
