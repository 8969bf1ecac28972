package dev.sro.core.driver;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.ImageCandidate.Kind;
import dev.sro.core.driver.RegistryProbe.Finding;
import dev.sro.core.model.Code;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which of the candidates a pool gets, from what is known of registries. Pure; for one use. */
public final class ImageResolution {

    /** Port: what is known of an image. Asking is what makes somebody look. */
    public interface Findings {
        /** What is known of the candidate, and since when it is asked for. */
        DatedFinding of(ImageCandidate candidate);
    }

    /**
     * What is known.
     *
     * @param finding what was found last
     * @param since when the first look was asked for
     */
    public record DatedFinding(Finding finding, Instant since) {}

    private final DriverRequest request;
    private final List<String> running;
    private final boolean begun;
    private final Findings findings;
    private final List<String> missing = new ArrayList<>();
    private Instant since = Instant.EPOCH;

    /**
     * @param running images that objects of the pool are made with now, as {@link #record} has them
     * @param begun whether the pool has objects of a build
     */
    public ImageResolution(DriverRequest request, List<String> running, boolean begun, Findings findings) {
        this.request = request;
        this.running = List.copyOf(running);
        this.begun = begun;
        this.findings = findings;
    }

    /** What is written to objects, to know later which image they are made with: the candidate, and the digest if that is used. */
    public static String record(ImageCandidate candidate, String digest) {
        return digest.isEmpty() || candidate.reference().contains("@")
                ? candidate.reference()
                : candidate.reference() + "@" + digest;
    }

    /** The image of a record as pods name it: by its digest where it has one, and then without tag. */
    public static String reference(String record) {
        int at = record.indexOf('@');
        if (at < 0) {
            return record;
        }
        String name = record.substring(0, at);
        int colon = name.lastIndexOf(':');
        return (colon > name.lastIndexOf('/') ? name.substring(0, colon) : name) + record.substring(at);
    }

    /** The driver of the pool. */
    public PoolDriver resolve() {
        if (request.none().isPresent()) {
            return pool(held(Outcome.failed(request.none().get())), Optional.empty());
        }
        if (request.candidates().isEmpty()) {
            return pool(new ImageChoice.None(), Optional.empty());
        }
        int working = working();
        for (int i = 0; i < request.candidates().size(); i++) {
            ImageCandidate candidate = request.candidates().get(i);
            if (i == working) {
                return chosen(candidate, recorded(candidate).orElse(candidate.reference()));
            }
            if (working > i && request.pollEvery().isEmpty()) {
                // What the pool has was the best when it was chosen, and nobody asked to look for a better one.
                continue;
            }
            if (!candidate.needsProbe()) {
                return chosen(candidate, candidate.reference());
            }
            Optional<PoolDriver> decided = decided(candidate, working > i);
            if (decided.isPresent()) {
                return decided.get();
            }
        }
        return pool(
                held(Outcome.waiting(
                        "WaitingForImage", since, String.join("; ", missing) + ". It is used as soon as it is pushed")),
                Optional.empty());
    }

    /** The first candidate that objects of the pool are made with already; -1 if none is. */
    private int working() {
        for (int i = 0; i < request.candidates().size(); i++) {
            Optional<String> record = recorded(request.candidates().get(i));
            if (record.isPresent() && (!request.pinDigest() || record.get().contains("@"))) {
                return i;
            }
        }
        return -1;
    }

    private Optional<String> recorded(ImageCandidate candidate) {
        return running.stream()
                .filter(record -> record.equals(candidate.reference())
                        || (request.pinDigest() && record.startsWith(candidate.reference() + "@")))
                .max(String::compareTo);
    }

    /**
     * What one look decides; empty to go on with the next candidate.
     *
     * @param optional whether the pool has a worse one that works
     */
    private Optional<PoolDriver> decided(ImageCandidate candidate, boolean optional) {
        DatedFinding known = findings.of(candidate);
        Finding finding = known.finding();
        since = since.equals(Instant.EPOCH) ? known.since() : since;
        if (finding.kind() == RegistryProbe.Kind.FOUND) {
            return Optional.of(chosen(candidate, record(candidate, request.pinDigest() ? finding.digest() : "")));
        }
        if (optional) {
            return Optional.empty();
        }
        return switch (finding.kind()) {
            case UNREAD ->
                Optional.of(pool(
                        held(Outcome.waiting(
                                Code.LOOKING_FOR_IMAGE.text(),
                                known.since(),
                                "the registry is asked whether it has " + candidate.reference())),
                        goesOn()));
            case DENIED ->
                Optional.of(pool(
                        held(Outcome.failed(new Problem(
                                "ImageAccessDenied",
                                "the registry does not say whether it has " + candidate.reference() + ": "
                                        + finding.message()
                                        + ". Name a Secret in spec.driver.pullSecrets; some registries answer so for"
                                        + " repositories that do not exist, too",
                                Problem.Owner.USER,
                                true))),
                        goesOn()));
            case UNREACHABLE ->
                Optional.of(pool(
                        held(Outcome.failed(Problem.platform(
                                "RegistryUnreachable",
                                "it cannot be told whether there is " + candidate.reference() + ": "
                                        + finding.message()))),
                        goesOn()));
            default -> missing(candidate, finding);
        };
    }

    /** While it is not known whether there is an image, the build that was begun goes on, and none begins. */
    private Optional<BuildRequest> goesOn() {
        return begun
                ? request.candidates().stream()
                        .filter(candidate -> candidate.kind() == Kind.BUILD)
                        .flatMap(candidate -> buildRequest(candidate, false).stream())
                        .findFirst()
                : Optional.empty();
    }

    private Optional<BuildRequest> buildRequest(ImageCandidate candidate, boolean missing) {
        DriverRequest.Making making = request.makings().get(candidate.reference());
        return making != null && making.isPossible()
                ? Optional.of(new BuildRequest(candidate, making.build(), making.sign(), missing, begun))
                : Optional.empty();
    }

    private Optional<PoolDriver> missing(ImageCandidate candidate, Finding finding) {
        String what = "there is no image " + candidate.reference() + " for this pool (" + finding.message() + ")";
        Optional<BuildRequest> build =
                candidate.kind() == Kind.BUILD ? buildRequest(candidate, true) : Optional.empty();
        if (build.isEmpty()) {
            missing.add(what);
            return Optional.empty();
        }
        return Optional.of(pool(held(Outcome.waiting("ImageNotBuilt", since, what + "; SRO has it built")), build));
    }

    private PoolDriver chosen(ImageCandidate candidate, String record) {
        String reference = reference(record);
        return pool(
                candidate.kind() == Kind.COMPILE_ON_NODE
                        ? new ImageChoice.CompileOnNode(candidate, reference)
                        : new ImageChoice.Chosen(candidate, reference),
                buildRequest(candidate, false),
                record,
                candidate.pullSecrets());
    }

    private ImageChoice held(Outcome outcome) {
        return request.keepCurrent() && !running.isEmpty()
                ? new ImageChoice.Previous(reference(running.get(0)), outcome)
                : new ImageChoice.Awaited(outcome);
    }

    private PoolDriver pool(ImageChoice choice, Optional<BuildRequest> build) {
        return pool(
                choice,
                build,
                choice instanceof ImageChoice.Previous ? running.get(0) : "",
                request.candidates().isEmpty()
                        ? request.pullSecrets()
                        : request.candidates().get(0).pullSecrets());
    }

    private PoolDriver pool(ImageChoice choice, Optional<BuildRequest> build, String record, List<String> pullSecrets) {
        return new PoolDriver(choice, record, pullSecrets, build, request.load(), request.known());
    }
}
