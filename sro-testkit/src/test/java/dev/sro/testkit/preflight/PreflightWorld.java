package dev.sro.testkit.preflight;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.resource.PreflightValidation;
import dev.sro.api.resource.PreflightValidationStatus;
import dev.sro.api.resource.SpecialResourcePreflight;
import dev.sro.core.image.Images;
import dev.sro.core.outgoing.OutgoingGate;
import dev.sro.core.recipe.source.HttpClients;
import dev.sro.core.recipe.source.Registries;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.Condition;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An OpenShift cluster with a node, an operator that checks, and a registry over HTTP. */
abstract class PreflightWorld {
    @TempDir
    Path folder;

    final Images images = new Images(new Registries(new HttpClients(OutgoingGate.open()), Duration.ofSeconds(10)));
    final SroSandbox sandbox;
    FakeRegistry registry;

    PreflightWorld(AcceleratorPlugin plugin) {
        sandbox = SroSandbox.createOpenShift(plugin);
    }

    @BeforeEach
    void start() throws IOException {
        registry = new FakeRegistry();
        sandbox.kill();
        sandbox.preflights(images, folder.resolve("registries.conf"));
        sandbox.nodes().create("one", NodeProfile.of(OsRelease.RHCOS_8).withRole("worker"));
        sandbox.run(Duration.ofMinutes(1));
        sandbox.start();
    }

    @AfterEach
    void stop() {
        sandbox.close();
        registry.close();
    }

    /** Without what only SRO's own definition has: an object that the original took. */
    void preflight(String spec) {
        sandbox.client()
                .resource(sandbox.client()
                        .getKubernetesSerialization()
                        .unmarshal("""
                            apiVersion: sro.openshift.io/v1beta1
                            kind: PreflightValidation
                            metadata: {name: next}
                            spec: {%s}
                            """.formatted(spec), PreflightValidation.class))
                .serverSideApply();
        sandbox.settle();
    }

    PreflightValidationStatus status() {
        PreflightValidation found = sandbox.client()
                .resources(PreflightValidation.class)
                .withName("next")
                .get();
        return Objects.requireNonNull(found.getStatus());
    }

    SpecialResourcePreflight verdict(String name) {
        return status().getSrStatuses().stream()
                .filter(verdict -> verdict.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    Condition verified() {
        return status().getConditions().get(0);
    }
}
