package dev.sro.runtime.operator.rollout;

import dev.sro.api.resource.SpecialResource;
import dev.sro.runtime.CrdCommand;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.SimControllers;
import dev.sro.testkit.sim.SimRegistry;
import dev.sro.testkit.sim.SimTimings;
import dev.sro.testkit.sim.Simulation;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** On the embedded server, in real time, over HTTP. */
final class EmbeddedSite implements Site {
    private final EmbeddedCluster cluster;
    private final Simulation simulation;
    private final Path kubeconfig;
    private final List<String> nodes = new ArrayList<>();

    EmbeddedSite(Path folder) throws IOException {
        Simulation[] installed = new Simulation[1];
        SimTimings quick = SimTimings.DEFAULTS
                .withNfdLag(Duration.ofMillis(50))
                .withBuild(Duration.ofMillis(300))
                .withPodStart(Duration.ofMillis(50))
                .withReboot(Duration.ofMillis(50));
        cluster = EmbeddedCluster.builder()
                .realTime()
                .controller((api, clock) -> {
                    installed[0] = SimControllers.install(api, clock, new SimRegistry(), quick, 1);
                    return installed[0];
                })
                .build();
        simulation = installed[0];
        kubeconfig = Files.writeString(
                folder.resolve("kubeconfig"), cluster.serveHttp(0).kubeconfig());
        client().resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        try (InputStream yaml = SpecialResource.class.getResourceAsStream(CrdCommand.RESOURCE)) {
            client().resource(client().getKubernetesSerialization().unmarshal(yaml, CustomResourceDefinition.class))
                    .create();
        }
        nodes.addAll(simulation.nodes().createMany("first-", NODES / 2, FIRST.withLabel("example.com/device", "true")));
        nodes.addAll(
                simulation.nodes().createMany("second-", NODES / 2, SECOND.withLabel("example.com/device", "true")));
    }

    @Override
    public KubernetesClient client() {
        return cluster.client();
    }

    @Override
    public Path kubeconfig() {
        return kubeconfig;
    }

    @Override
    public List<String> nodes() {
        return nodes;
    }

    @Override
    public String selector() {
        return "example.com/device: \"true\"";
    }

    @Override
    public void move(String node, NodeProfile profile) {
        simulation.nodes().reboot(node, old -> old.withKernel(profile.kernel()));
    }

    @Override
    public void close() {
        cluster.close();
    }
}
