package dev.sro.core.preflight;

import dev.sro.api.Pool;
import dev.sro.api.driver.PreflightVerdict;
import dev.sro.api.driver.PreflightVerdict.Result;
import dev.sro.api.resource.PreflightEvidence;
import dev.sro.api.resource.VerificationStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The verdict of a plugin that knows its images. Stateless. */
final class PluginVerdict {

    private PluginVerdict() {}

    /**
     * What the plugin says, or what is found where it says nothing: one bad image is enough, and one of which it knows nothing has to
     * be looked at.
     *
     * @param resource name of the special resource
     * @param pool the one to come
     * @param found by looking into the images; asked only where it is needed
     */
    static Verdict combine(List<PreflightVerdict> said, String resource, Pool pool, Supplier<Verdict> found) {
        if (said.isEmpty()) {
            return found.get();
        }
        List<PreflightEvidence> evidence =
                said.stream().map(each -> evidence(each, resource, pool)).toList();
        List<PreflightVerdict> bad =
                said.stream().filter(each -> each.result() == Result.BAD).toList();
        if (!bad.isEmpty()) {
            return new Verdict(VerificationStatus.FALSE, words(bad), evidence);
        }
        if (said.stream().noneMatch(each -> each.result() == Result.UNKNOWN)) {
            boolean build = said.stream().anyMatch(each -> each.result() == Result.BUILDABLE);
            return new Verdict(VerificationStatus.TRUE, words(said), evidence, build ? Verdict.BUILDABLE : "");
        }
        Verdict own = found.get();
        List<PreflightEvidence> all = new ArrayList<>(own.evidence());
        all.addAll(evidence);
        return new Verdict(own.status(), own.reason(), all, own.code());
    }

    private static String words(List<PreflightVerdict> said) {
        return String.join("; ", said.stream().map(PluginVerdict::words).toList());
    }

    private static String words(PreflightVerdict said) {
        String evidence = said.evidence().isEmpty() ? "" : ": " + String.join(", ", said.evidence());
        return "the plugin says that "
                + said.image()
                + switch (said.result()) {
                    case GOOD -> " is good";
                    case BUILDABLE -> " can be built";
                    case BAD -> " is not good";
                    case UNKNOWN -> " is not known to it";
                }
                + evidence;
    }

    private static PreflightEvidence evidence(PreflightVerdict said, String resource, Pool pool) {
        PreflightEvidence evidence = new PreflightEvidence();
        evidence.setObject("SpecialResource " + resource);
        evidence.setImage(said.image());
        evidence.setArchitecture(pool.architecture());
        evidence.setWantedKernel(pool.kernel().raw());
        evidence.setMessage(words(said));
        return evidence;
    }
}
