package dev.sro.core.build;

import dev.sro.api.ClusterFacts;
import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.SignPlan;
import dev.sro.core.driver.BuildRequest;
import dev.sro.core.driver.KernelNames;
import dev.sro.core.model.DockerfileImages;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What has to run, in order, until a pool has its image. Immutable.
 *
 * @param steps the build, the signature, or one after the other; empty when there is an obstacle
 * @param obstacle why nothing can run; empty when it can
 */
public record BuildSteps(List<BuildStep> steps, Optional<Outcome> obstacle) {

    /** Copies the steps. */
    public BuildSteps {
        steps = List.copyOf(steps);
    }

    private static final String BUILD_CONFIG = "build.openshift.io/v1/BuildConfig";
    private static final String SHIPWRIGHT = "shipwright.io/v1beta1/BuildRun";

    /** The steps of a request. */
    public static BuildSteps of(BuildTarget target, BuildRequest request, BuildInputs inputs, BuildSettings settings) {
        Optional<Outcome> obstacle = inputs.obstacle()
                .or(() -> mismatch(target, request))
                .or(() -> missingDockerfile(target, request, inputs))
                .or(() -> missingSecret(target, request, inputs))
                .or(() -> notServed(target, request, settings));
        if (obstacle.isPresent()) {
            return new BuildSteps(List.of(), obstacle);
        }
        List<BuildStep> steps = new ArrayList<>();
        BuildPlan.Method method =
                method(request.build().map(BuildPlan::method).orElseGet(settings::method), target.cluster());
        request.build().ifPresent(plan -> steps.add(build(target, plan, method, inputs)));
        if (request.sign().isPresent()) {
            Optional<String> signer = request.sign()
                    .flatMap(SignPlan::signImage)
                    .or(inputs::signImage)
                    .or(settings::signImage);
            if (signer.isEmpty()) {
                return new BuildSteps(List.of(), Optional.of(noSigner(request)));
            }
            steps.add(sign(target, request, signer.get(), method, inputs, steps));
        }
        return new BuildSteps(steps, Optional.empty());
    }

    /** What builds on this cluster; never {@code ANY}. */
    static BuildPlan.Method method(BuildPlan.Method wanted, ClusterFacts cluster) {
        if (wanted != BuildPlan.Method.ANY) {
            return wanted;
        }
        if (cluster.servedKinds().contains(BUILD_CONFIG)) {
            return BuildPlan.Method.BUILD_CONFIG;
        }
        return cluster.servedKinds().contains(SHIPWRIGHT) ? BuildPlan.Method.SHIPWRIGHT : BuildPlan.Method.JOB;
    }

    private static BuildStep build(BuildTarget target, BuildPlan plan, BuildPlan.Method method, BuildInputs inputs) {
        // A BuildConfig looks after a base image with a tag by itself: OpenShift imports it, and starts a build.
        Optional<String> base = method == BuildPlan.Method.BUILD_CONFIG && !plan.driverToolkit()
                ? plan.baseImage()
                : inputs.baseImage().or(plan::baseImage);
        Map<String, String> arguments = new TreeMap<>(plan.arguments());
        base.ifPresent(image -> arguments.put("BASE_IMAGE", image));
        if (plan.driverToolkit()) {
            base.ifPresent(image -> arguments.put("DTK_AUTO", image));
        }
        String kernel = KernelNames.matched(target.pool().kernel());
        arguments.put("KERNEL_VERSION", kernel);
        arguments.put("KERNEL_FULL_VERSION", kernel);
        arguments.put("MOD_NAME", target.resource());
        arguments.put("MOD_NAMESPACE", target.namespace());
        BuildPlan.Builder complete = BuildPlan.builder()
                .from(plan)
                .dockerfile(DockerfileImages.mirrored(inputs.dockerfile().orElse(plan.dockerfile()), target.mirrors()))
                .dockerfileConfigMap(Optional.empty())
                .driverToolkit(false)
                .secrets(new TreeSet<>(plan.secrets()))
                .arguments(arguments);
        base.ifPresent(complete::baseImage);
        BuildPlan whole = complete.build();
        return step(BuildStep.Kind.BUILD, target, method, whole, whole.dockerfile(), "", inputs);
    }

    private static BuildStep sign(
            BuildTarget target,
            BuildRequest request,
            String signer,
            BuildPlan.Method method,
            BuildInputs inputs,
            List<BuildStep> before) {
        SignPlan plan = request.sign().orElseThrow();
        String unsigned = before.isEmpty()
                ? inputs.unsignedDigest()
                        .map(digest -> withDigest(plan.unsignedImage(), digest))
                        .orElse(plan.unsignedImage())
                : plan.unsignedImage();
        Optional<BuildPlan> build = request.build();
        BuildPlan.Builder complete = BuildPlan.builder()
                .method(method)
                .dockerfile(Dockerfiles.signing(plan))
                .putArguments("UNSIGNED_IMAGE", unsigned)
                .putArguments("SIGN_IMAGE", signer)
                .secrets(new TreeSet<>(List.of(plan.keySecret(), plan.certSecret())))
                .pushTo(plan.signedImage())
                .pushSecurity(plan.signedImageSecurity())
                .baseImageSecurity(plan.unsignedImageSecurity())
                .pushSecret(plan.pushSecret().or(() -> build.flatMap(BuildPlan::pushSecret)));
        build.ifPresent(other -> complete.nodeSelector(other.nodeSelector())
                .pullSecrets(other.pullSecrets())
                .limits(other.limits())
                .requests(other.requests())
                .timeout(other.timeout()));
        String after = before.isEmpty() ? "" : before.get(0).hash();
        // How a file is signed is SRO's own, and another version of SRO is no reason to sign again.
        Map<String, Object> signed = Map.of("files", plan.files(), "hash", plan.hash());
        return step(BuildStep.Kind.SIGN, target, method, complete.build(), signed, after, inputs);
    }

    private static BuildStep step(
            BuildStep.Kind kind,
            BuildTarget target,
            BuildPlan.Method method,
            BuildPlan plan,
            Object done,
            String after,
            BuildInputs inputs) {
        Pool pool = target.pool().withNodes(List.of());
        String hash = BuildHash.compute(kind, method, pool, plan, done, after, inputs.secrets());
        return new BuildStep(kind, target.resource(), target.namespace(), pool, method, plan, hash);
    }

    /** The image by its digest instead of its tag. */
    static String withDigest(String image, String digest) {
        if (image.contains("@")) {
            return image;
        }
        int colon = image.indexOf(':', image.lastIndexOf('/') + 1);
        return (colon < 0 ? image : image.substring(0, colon)) + "@" + digest;
    }

    private static Optional<Outcome> mismatch(BuildTarget target, BuildRequest request) {
        return request.build()
                .flatMap(build -> request.sign()
                        .filter(sign -> !sign.unsignedImage().equals(build.pushTo()))
                        .map(sign -> Outcome.failed(Problem.user(
                                "UnsignedImageMismatch",
                                "the build for pool " + target.pool().name() + " makes " + build.pushTo() + ", but "
                                        + sign.unsignedImage()
                                        + " is to be signed; name the same image in both"))));
    }

    private static Optional<Outcome> missingDockerfile(BuildTarget target, BuildRequest request, BuildInputs inputs) {
        return inputs.dockerfile().filter(text -> !text.isBlank()).isPresent()
                ? Optional.empty()
                : request.build()
                        .flatMap(BuildPlan::dockerfileConfigMap)
                        .map(name -> Outcome.failed(new Problem(
                                "DockerfileMissing",
                                "ConfigMap " + target.namespace() + "/" + name + ", which has the Dockerfile of "
                                        + BuildTarget.image(request)
                                        + ", does not exist or has no key dockerfile; create it",
                                Problem.Owner.USER,
                                true)));
    }

    private static Optional<Outcome> missingSecret(BuildTarget target, BuildRequest request, BuildInputs inputs) {
        TreeSet<String> names = new TreeSet<>();
        request.build().ifPresent(plan -> names.addAll(plan.secrets()));
        request.sign().ifPresent(plan -> names.addAll(List.of(plan.keySecret(), plan.certSecret())));
        names.removeAll(inputs.secrets().keySet());
        return names.stream()
                .findFirst()
                .map(name -> Outcome.failed(new Problem(
                        "BuildSecretMissing",
                        "Secret " + target.namespace() + "/" + name + ", which the build of "
                                + BuildTarget.image(request) + " reads, does not exist; create it",
                        Problem.Owner.USER,
                        true)));
    }

    private static Optional<Outcome> notServed(BuildTarget target, BuildRequest request, BuildSettings settings) {
        ClusterFacts cluster = target.cluster();
        BuildPlan.Method wanted = request.build().map(BuildPlan::method).orElseGet(settings::method);
        String kind = switch (wanted) {
            case BUILD_CONFIG -> BUILD_CONFIG;
            case SHIPWRIGHT -> SHIPWRIGHT;
            case JOB, ANY -> "";
        };
        return kind.isEmpty() || cluster.servedKinds().contains(kind)
                ? Optional.empty()
                : Optional.of(Outcome.failed(Problem.user(
                        "BuildMethodNotServed",
                        "the build of " + BuildTarget.image(request) + " wants method " + wanted
                                + ", but the cluster does not serve " + kind
                                + "; choose another method or install what serves it")));
    }

    private static Outcome noSigner(BuildRequest request) {
        return Outcome.failed(Problem.user(
                "SignImageMissing",
                BuildTarget.image(request)
                        + " is to be signed, and nothing says with which image; name one that has the kernel's"
                        + " sign-file"));
    }
}
