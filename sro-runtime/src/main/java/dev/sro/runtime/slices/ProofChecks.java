package dev.sro.runtime.slices;

import dev.sro.core.claim.ClaimObjects;
import dev.sro.core.claim.PodExplainer;
import dev.sro.core.claim.PodExplanation;
import dev.sro.core.claim.ProofGround;
import dev.sro.core.dra.CertificateChecker;
import dev.sro.core.dra.ClosedModels;
import dev.sro.core.dra.InfeasibilityCertificate;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.runtime.waiting.ExplanationText;
import dev.sro.runtime.waiting.StatedProof;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Holds proofs that pods wait for good reason against the rules of the models, and against what is published and allocated now. Confined to one thread. */
final class ProofChecks {
    /** Of what is wrong with one certificate; one that is of another world has as many faults as it has words. */
    private static final int MOST_FAULTS = 3;

    private final Catalogue catalogue;
    private final PodExplainer explainer;
    private final boolean ofFiles;
    private final Map<String, Pod> pods = new HashMap<>();
    private final Map<String, PodExplanation> explained = new HashMap<>();

    /** What it comes to, the best first. */
    enum Verdict {
        /** There is nothing to check. */
        NO_CERTIFICATE,
        /** It proves what it says of what runs now. */
        HOLDS,
        /** The files that were given have not the pod that it is about. */
        POD_MISSING,
        /** It proves what it says, but of something else than what is there now. */
        CHANGED,
        /** It proves nothing. */
        WRONG,
        /** It is not of the form of a proof. */
        UNREADABLE
    }

    /**
     * One certificate.
     *
     * @param about model and slices
     * @param why what speaks against it; empty where nothing does
     */
    record Certificate(String about, Verdict verdict, List<String> why) {}

    /**
     * What somebody said of a pod.
     *
     * @param where it stands
     * @param why what speaks against it as a whole
     * @param now what {@code sro slices explain} says of the pod; empty where it is not there
     */
    record Answer(
            String where, String pod, Verdict verdict, List<String> why, String now, List<Certificate> certificates) {
        static Answer unreadable(String where, String why) {
            return new Answer(where, "", Verdict.UNREADABLE, List.of(why), "", List.of());
        }
    }

    /**
     * Looks at nothing yet.
     *
     * @param ofFiles whether objects are what somebody gave, so that what is not there need not be gone
     */
    ProofChecks(ClaimObjects objects, Catalogue catalogue, boolean ofFiles) {
        this.catalogue = catalogue;
        this.ofFiles = ofFiles;
        this.explainer = PodExplainer.of(objects, catalogue);
        objects.pods()
                .forEach(pod -> pods.put(
                        pod.getMetadata().getNamespace() + "/"
                                + pod.getMetadata().getName(),
                        pod));
    }

    Answer check(String where, StatedProof proof) {
        if (proof.certificates().isEmpty()) {
            String why = proof.leftOut().contains("certificates")
                    ? "its certificates were left out, as it was too long: ask sro slices explain"
                    : "it says " + proof.state() + ", and proves nothing";
            return new Answer(where, proof.pod(), Verdict.NO_CERTIFICATE, List.of(why), "", List.of());
        }
        if (ofFiles && !pods.containsKey(proof.pod())) {
            return withoutPod(where, proof);
        }
        List<String> why = new ArrayList<>();
        Optional<Pod> pod = pod(proof, why);
        List<ProofGround> grounds =
                pod.map(one -> List.copyOf(explainer.grounds(one))).orElse(List.of());
        List<Certificate> certificates = proof.certificates().stream()
                .map(certificate -> check(certificate, grounds))
                .toList();
        Optional<PodExplanation> now = pod.map(this::explain);
        now.filter(one -> one.state() != PodExplanation.State.NO_ROOM)
                .ifPresent(one -> why.add("the pod does not wait for room any more"));
        Verdict worst =
                Collections.max(certificates.stream().map(Certificate::verdict).toList());
        return new Answer(
                where,
                proof.pod(),
                why.isEmpty() || worst.compareTo(Verdict.CHANGED) > 0 ? worst : Verdict.CHANGED,
                why,
                now.map(one -> ExplanationText.word(one.state()) + ": " + one.summary())
                        .orElse(""),
                certificates);
    }

    /** What can be said of certificates by themselves. */
    private Answer withoutPod(String where, StatedProof proof) {
        List<Certificate> certificates = proof.certificates().stream()
                .map(certificate -> check(certificate, List.of()))
                .map(checked -> checked.verdict() == Verdict.WRONG
                        ? checked
                        : new Certificate(
                                checked.about(),
                                Verdict.POD_MISSING,
                                List.of("it would prove what it says; of whom it says so is not known")))
                .toList();
        return new Answer(
                where,
                proof.pod(),
                Collections.max(certificates.stream().map(Certificate::verdict).toList()),
                List.of("no file of --from has the pod: give what kubectl get pods -A -o yaml prints, too, unless it is"
                        + " gone"),
                "",
                certificates);
    }

    /** The pod that it is about; empty, and why, where that is gone. */
    private Optional<Pod> pod(StatedProof proof, List<String> why) {
        Pod pod = pods.get(proof.pod());
        if (pod == null) {
            why.add("the pod is not there any more");
            return Optional.empty();
        }
        if (!proof.uid().isEmpty() && !proof.uid().equals(pod.getMetadata().getUid())) {
            why.add("another pod has its name now");
            return Optional.empty();
        }
        return Optional.of(pod);
    }

    private PodExplanation explain(Pod pod) {
        return explained.computeIfAbsent(
                pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName(), key -> explainer.explain(pod));
    }

    private Certificate check(InfeasibilityCertificate certificate, List<ProofGround> grounds) {
        String about = certificate.model() + ", " + certificate.wantedText();
        List<ProofGround> own = grounds.stream()
                .filter(ground -> ground.model().key().equals(certificate.model()))
                .toList();
        Optional<DeviceModel> model = own.stream()
                .map(ProofGround::model)
                .findFirst()
                .or(() -> ClosedModels.find(certificate.model(), catalogue));
        if (model.isEmpty()) {
            return new Certificate(
                    about,
                    Verdict.WRONG,
                    List.of("neither the catalogue nor a GPU that could serve the pod is of the model "
                            + certificate.model() + "; give --catalogue if it is one of yours"));
        }
        List<String> faults = new ArrayList<>(CertificateChecker.check(certificate, model.get()));
        if (faults.isEmpty() && !own.isEmpty() && own.stream().noneMatch(ground -> asks(ground, certificate))) {
            faults.add("the pod does not ask for so much: "
                    + new InfeasibilityCertificate("", 0, Map.of(), own.get(0).wanted(), List.of()).wantedText());
        }
        return faults.isEmpty()
                ? against(about, certificate, own)
                : new Certificate(
                        about, Verdict.WRONG, faults.stream().limit(MOST_FAULTS).toList());
    }

    /** A certificate says of some of what a pod asks for that it has no place, never of more. */
    private static boolean asks(ProofGround ground, InfeasibilityCertificate certificate) {
        return certificate.wanted().entrySet().stream()
                .allMatch(wanted -> wanted.getValue() <= ground.wanted().getOrDefault(wanted.getKey(), 0L));
    }

    private static Certificate against(String about, InfeasibilityCertificate certificate, List<ProofGround> grounds) {
        if (grounds.isEmpty()) {
            return new Certificate(
                    about, Verdict.CHANGED, List.of("no GPU of this model could serve what the pod asks for now"));
        }
        record Tried(ProofGround ground, List<String> faults) {}
        Tried nearest = grounds.stream()
                .map(ground ->
                        new Tried(ground, CertificateChecker.check(certificate, ground.model(), ground.running())))
                .min(Comparator.comparingInt(tried -> tried.faults().size()))
                .orElseThrow();
        if (nearest.faults().isEmpty()) {
            return new Certificate(about, Verdict.HOLDS, List.of());
        }
        List<String> why =
                new ArrayList<>(nearest.faults().stream().limit(MOST_FAULTS).toList());
        ProofGround ground = nearest.ground();
        boolean still = CertificateChecker.check(
                        certificate.among(ground.running().size(), ground.counts()), ground.model(), ground.running())
                .isEmpty();
        why.add(
                still
                        ? "its weights prove the same of what is there now"
                        : "its weights prove nothing of what is there now");
        return new Certificate(about, Verdict.CHANGED, why);
    }
}
