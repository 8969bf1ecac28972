package dev.sro.core.build;

import dev.sro.api.ClusterFacts;
import dev.sro.api.KernelVersion;
import dev.sro.api.OsRelease;
import dev.sro.api.Pool;
import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.SignPlan;
import dev.sro.core.driver.BuildRequest;
import dev.sro.core.model.ImageMirrors;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Values that tests of builds share. */
final class Builds {

    static final String KERNEL = "5.14.0-570.el9.x86_64";

    static final ClusterFacts KUBERNETES =
            ClusterFacts.builder().addServedKinds("batch/v1/Job").build();

    static final ClusterFacts OPENSHIFT = ClusterFacts.builder()
            .servedKinds(Set.of(
                    "batch/v1/Job", "build.openshift.io/v1/BuildConfig", "config.openshift.io/v1/ClusterVersion"))
            .build();

    static final ClusterFacts SHIPWRIGHT = ClusterFacts.builder()
            .servedKinds(Set.of("batch/v1/Job", "shipwright.io/v1beta1/BuildRun"))
            .build();

    private Builds() {}

    static Pool pool(String kernel) {
        return new Pool(
                "rhel9-" + kernel.replace('_', '-'),
                Integer.toHexString(kernel.hashCode()),
                new KernelVersion(kernel),
                new OsRelease("rhel", "9.6"),
                "amd64",
                new TreeMap<>(),
                List.of("node"));
    }

    static BuildPlan.Builder plan() {
        return BuildPlan.builder()
                .dockerfile("ARG BASE_IMAGE\nFROM $BASE_IMAGE\nRUN make KVER=$KERNEL_FULL_VERSION\n")
                .baseImage("quay.io/acme/kernel-devel:9")
                .pushTo("registry.example.com/acme/driver:v1");
    }

    static SignPlan sign() {
        return SignPlan.builder()
                .unsignedImage("registry.example.com/acme/driver:v1")
                .signedImage("registry.example.com/acme/driver:v1-signed")
                .addFiles("/opt/lib/modules/" + KERNEL + "/acme.ko", "/opt/lib/modules/*/extra/*.ko.xz")
                .keySecret("signing-key")
                .certSecret("signing-cert")
                .signImage("quay.io/acme/sign:1")
                .build();
    }

    static BuildRequest request(Optional<BuildPlan> plan, Optional<SignPlan> sign) {
        String image = sign.map(SignPlan::signedImage)
                .orElseGet(() -> plan.orElseThrow().pushTo());
        return new BuildRequest(ImageCandidate.of(ImageCandidate.Kind.BUILD, image), plan, sign, true, false);
    }

    static BuildTarget target(ClusterFacts cluster) {
        return new BuildTarget("acme", "acme-ns", pool(KERNEL), cluster, ImageMirrors.NONE);
    }

    static BuildInputs inputs(Map<String, String> secrets) {
        return new BuildInputs(
                Optional.empty(),
                Optional.of("quay.io/acme/kernel-devel@sha256:" + "a".repeat(64)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                secrets);
    }

    static BuildStep step(BuildPlan plan, ClusterFacts cluster) {
        Map<String, String> secrets = new TreeMap<>();
        plan.secrets().forEach(name -> secrets.put(name, "1"));
        return BuildSteps.of(
                        target(cluster),
                        request(Optional.of(plan), Optional.empty()),
                        inputs(secrets),
                        BuildSettings.DEFAULTS)
                .steps()
                .get(0);
    }
}
