package dev.sro.core.preflight;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.resource.PreflightEvidence;
import dev.sro.api.resource.VerificationStatus;
import dev.sro.core.build.BuildStep;
import dev.sro.core.build.BuildSteps;
import dev.sro.core.driver.BuildRequest;
import dev.sro.core.driver.RegistryProbe;
import dev.sro.core.driver.RegistryProbe.Finding;
import dev.sro.core.engine.driver.DriverForecast;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The verdict on the image that {@code spec.driver}, or the plugin, names for the driver. Immutable.
 *
 * @param settled the image, as objects name it, if no look into it can say more; empty if it has to be looked into
 */
record DriverVerdict(Verdict verdict, Optional<String> settled) {

    static DriverVerdict of(DriverForecast forecast, String resource, Pool pool) {
        List<PreflightEvidence> evidence = new ArrayList<>();
        forecast.looked().forEach((image, finding) -> evidence.add(evidence(resource, pool, image, finding)));
        Optional<ImageCandidate> taken = DriverForecast.taken(forecast.driver().choice());
        if (taken.isPresent()) {
            return taken(forecast, taken.get(), pool, evidence);
        }
        if (forecast.request().isPresent()) {
            return built(forecast, forecast.request().get(), resource, pool, evidence);
        }
        Outcome outcome = forecast.driver().choice().obstacle().orElseGet(Outcome::ready);
        VerificationStatus status =
                code(outcome).equals("InvalidDriver") ? VerificationStatus.ERROR : VerificationStatus.FALSE;
        return new DriverVerdict(new Verdict(status, words(outcome), evidence, code(outcome)), forecast.named());
    }

    private static DriverVerdict taken(
            DriverForecast forecast, ImageCandidate image, Pool pool, List<PreflightEvidence> evidence) {
        Finding finding = forecast.looked().getOrDefault(image, Finding.UNREAD);
        if (finding.kind() != RegistryProbe.Kind.FOUND) {
            return new DriverVerdict(
                    new Verdict(
                            VerificationStatus.FALSE,
                            image.reference() + " would be used without asking for it, and " + finding.message(),
                            evidence),
                    forecast.named());
        }
        boolean compiles = image.kind() == ImageCandidate.Kind.COMPILE_ON_NODE;
        String what = compiles
                ? " is there, and compiles the driver for " + pool.kernel() + " on the node"
                : image.verifyKernel() ? " is there, for " + pool.kernel() : " is there";
        return new DriverVerdict(
                new Verdict(VerificationStatus.TRUE, image.reference() + what, evidence),
                compiles || image.verifyKernel() ? forecast.named() : Optional.empty());
    }

    private static DriverVerdict built(
            DriverForecast forecast,
            BuildRequest request,
            String resource,
            Pool pool,
            List<PreflightEvidence> evidence) {
        String image = request.target().reference();
        BuildSteps build = forecast.build().orElseThrow();
        if (build.obstacle().isPresent()) {
            Outcome outcome = build.obstacle().get();
            boolean pending = outcome instanceof Outcome.Waiting;
            String words = image + " does not exist and "
                    + (pending ? "it is not known yet whether it can be built: " : "cannot be built: ")
                    + words(outcome);
            return new DriverVerdict(
                    new Verdict(
                            pending ? VerificationStatus.UNKNOWN : VerificationStatus.FALSE,
                            words,
                            evidence,
                            code(outcome)),
                    forecast.named());
        }
        List<String> steps = new ArrayList<>();
        for (BuildStep step : build.steps()) {
            steps.add(step(step, request));
            evidence.add(evidence(resource, pool, step.plan().pushTo(), steps.get(steps.size() - 1)));
        }
        return new DriverVerdict(
                new Verdict(
                        VerificationStatus.TRUE,
                        image + " does not exist yet and could be built: " + String.join("; then ", steps),
                        evidence,
                        Verdict.BUILDABLE),
                forecast.named());
    }

    private static String step(BuildStep step, BuildRequest request) {
        String by = switch (step.method()) {
            case BUILD_CONFIG -> "a BuildConfig";
            case SHIPWRIGHT -> "a BuildRun of Shipwright";
            case JOB, ANY -> "a Job";
        };
        BuildPlan plan = step.plan();
        Map<String, String> arguments = plan.arguments();
        if (step.kind() == BuildStep.Kind.SIGN) {
            return by + " signs " + arguments.get("UNSIGNED_IMAGE") + " with " + arguments.get("SIGN_IMAGE")
                    + " and pushes " + plan.pushTo();
        }
        StringBuilder words = new StringBuilder(by + " builds " + plan.pushTo() + " with ");
        words.append(request.build()
                .flatMap(BuildPlan::dockerfileConfigMap)
                .map(name -> "the Dockerfile of ConfigMap " + step.namespace() + "/" + name)
                .orElse("its Dockerfile"));
        plan.gitUri()
                .ifPresent(uri -> words.append(" and the source ")
                        .append(uri)
                        .append(plan.gitReference().map(ref -> "#" + ref).orElse("")));
        boolean toolkit = request.build().filter(BuildPlan::driverToolkit).isPresent();
        plan.baseImage()
                .ifPresent(base -> words.append(toolkit ? ", on the driver toolkit " : ", on ")
                        .append(base));
        return words.toString();
    }

    private static String words(Outcome outcome) {
        return outcome instanceof Outcome.Failed failed
                ? failed.problem().message()
                : outcome instanceof Outcome.Waiting waiting ? waiting.on() : "no image is named";
    }

    private static String code(Outcome outcome) {
        return outcome instanceof Outcome.Failed failed
                ? failed.problem().code()
                : outcome instanceof Outcome.Waiting waiting ? waiting.reason() : "";
    }

    private static PreflightEvidence evidence(String resource, Pool pool, ImageCandidate image, Finding finding) {
        PreflightEvidence evidence = evidence(
                resource,
                pool,
                image.reference(),
                finding.kind() == RegistryProbe.Kind.FOUND ? "it is there" : finding.message());
        if (!finding.digest().isEmpty()) {
            evidence.setDigest(finding.digest());
        }
        return evidence;
    }

    private static PreflightEvidence evidence(String resource, Pool pool, String image, String message) {
        PreflightEvidence evidence = new PreflightEvidence();
        evidence.setObject("SpecialResource " + resource);
        evidence.setImage(image);
        evidence.setArchitecture(pool.architecture());
        evidence.setWantedKernel(pool.kernel().raw());
        evidence.setMessage(message);
        return evidence;
    }
}
