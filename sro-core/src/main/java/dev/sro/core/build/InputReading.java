package dev.sro.core.build;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.RegistrySecurity;
import dev.sro.api.driver.SignPlan;
import dev.sro.core.build.BuildSources.Absent;
import dev.sro.core.build.BuildSources.Answer;
import dev.sro.core.driver.BuildRequest;
import dev.sro.core.model.Code;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Puts together what a build takes in. For one request. */
public final class InputReading {

    private final BuildTarget target;
    private final BuildRequest request;
    private final BuildSources sources;
    private final Function<BuildSources.Question, Answer> digests;
    private final Instant now;
    private @Nullable Outcome obstacle;

    private InputReading(
            BuildTarget target,
            BuildRequest request,
            BuildSources sources,
            Function<BuildSources.Question, Answer> digests,
            Instant now) {
        this.target = target;
        this.request = request;
        this.sources = sources;
        this.digests = digests;
        this.now = now;
    }

    /**
     * The inputs, or what stands in their way.
     *
     * @param digests the digests that images have now
     */
    public static BuildInputs read(
            BuildTarget target,
            BuildRequest request,
            BuildSources sources,
            Function<BuildSources.Question, Answer> digests,
            Instant now) {
        return new InputReading(target, request, sources, digests, now).read();
    }

    private BuildInputs read() {
        Optional<BuildPlan> build = request.build();
        Optional<SignPlan> sign = request.sign();
        Optional<String> dockerfile =
                build.flatMap(BuildPlan::dockerfileConfigMap).flatMap(this::dockerfile);
        Map<String, String> secrets = secrets();
        boolean unsignedSigner = sign.isPresent() && sign.get().signImage().isEmpty();
        boolean wantsToolkit = build.filter(BuildPlan::driverToolkit).isPresent();
        Toolkits.Answer toolkit =
                wantsToolkit || (unsignedSigner && target.cluster().isOpenShift())
                        ? Toolkits.match(sources.toolkits(target.pool().architecture()), target.pool(), now)
                        : new Toolkits.Answer(Optional.empty(), Optional.empty());
        if (wantsToolkit
                || toolkit.obstacle().filter(Outcome.Waiting.class::isInstance).isPresent()) {
            toolkit.obstacle().ifPresent(this::stop);
        }
        Optional<String> base = wantsToolkit
                ? toolkit.image()
                : build.filter(plan -> looksAtDigest(plan)).flatMap(this::base);
        Optional<String> unsigned = build.isPresent() ? Optional.empty() : sign.flatMap(this::unsigned);
        return new BuildInputs(dockerfile, base, toolkit.image(), unsigned, Optional.ofNullable(obstacle), secrets);
    }

    /** A BuildConfig looks after its base image by itself. */
    private boolean looksAtDigest(BuildPlan plan) {
        return BuildSteps.method(plan.method(), target.cluster()) != BuildPlan.Method.BUILD_CONFIG;
    }

    private Optional<String> dockerfile(String name) {
        return value(
                sources.dockerfile(target.namespace(), name),
                "ConfigMap " + target.namespace() + "/" + name,
                absent -> Optional.empty());
    }

    private Map<String, String> secrets() {
        TreeSet<String> names = new TreeSet<>();
        request.build().ifPresent(plan -> names.addAll(plan.secrets()));
        request.sign().ifPresent(plan -> names.addAll(List.of(plan.keySecret(), plan.certSecret())));
        Map<String, String> versions = new TreeMap<>();
        for (String name : names) {
            value(
                            sources.secret(target.namespace(), name),
                            "Secret " + target.namespace() + "/" + name,
                            absent -> Optional.empty())
                    .ifPresent(version -> versions.put(name, version));
        }
        return versions;
    }

    private Optional<String> base(BuildPlan plan) {
        Optional<String> pulled = plan.baseImage().map(target.mirrors()::of);
        return pulled.filter(image -> !image.contains("@"))
                .flatMap(image -> digest(image, plan.baseImageSecurity(), plan.pullSecrets())
                        .map(digest -> BuildSteps.withDigest(image, digest)))
                .or(() -> pulled);
    }

    private Optional<String> unsigned(SignPlan plan) {
        return plan.unsignedImage().contains("@")
                ? Optional.empty()
                : digest(
                        plan.unsignedImage(),
                        plan.unsignedImageSecurity(),
                        plan.pushSecret().stream().toList());
    }

    /** What is not known now must not be left out: the build would be another one as soon as it is. */
    private Optional<String> digest(String image, RegistrySecurity security, List<String> pullSecrets) {
        Pool pool = target.pool();
        Answer answer = digests.apply(
                new BuildSources.Question(image, pool.architecture(), security, target.namespace(), pullSecrets));
        return value(
                answer,
                "image " + image,
                absent -> Optional.of(Outcome.failed(Problem.platform(
                        Code.BUILD_IMAGE_NOT_READABLE.text(),
                        image + ", which " + BuildTarget.image(request) + " is made from, cannot be read: "
                                + absent.why()))));
    }

    /**
     * The value, if it is known; while it is read, nothing is built.
     *
     * @param absence what is wrong when it is not there; empty where a build can do without
     */
    private Optional<String> value(Answer answer, String what, Function<Absent, Optional<Outcome>> absence) {
        return answer.map(
                available -> Optional.of(available.value()),
                () -> {
                    stop(Outcome.waiting(
                            "BuildInputsPending",
                            now,
                            what + ", which " + BuildTarget.image(request) + " is made from, is being read"));
                    return Optional.empty();
                },
                absent -> {
                    absence.apply(absent).ifPresent(this::stop);
                    return Optional.empty();
                },
                unreadable -> {
                    stop(Outcome.failed(Problem.platform(
                            Code.BUILD_INPUT_NOT_READABLE.text(),
                            what + ", which " + BuildTarget.image(request) + " is made from, cannot be read: "
                                    + unreadable.why())));
                    return Optional.empty();
                });
    }

    private void stop(Outcome outcome) {
        obstacle = obstacle == null ? outcome : Outcome.worse(obstacle, outcome);
    }
}
