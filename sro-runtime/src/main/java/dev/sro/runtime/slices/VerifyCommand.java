package dev.sro.runtime.slices;

import dev.sro.core.claim.ClaimObjects;
import dev.sro.core.model.ValueTrees;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.OutputForm;
import dev.sro.runtime.UnusableInputException;
import dev.sro.runtime.slices.ProofChecks.Answer;
import dev.sro.runtime.slices.ProofChecks.Verdict;
import dev.sro.runtime.waiting.ExplanationText;
import dev.sro.runtime.waiting.StatedProof;
import dev.sro.runtime.waiting.WaitingNote;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Verifies certificates that others made. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        description = {
            "Verifies proofs that pods wait for slices for good reason: those on claims (annotation"
                    + " slices.sro.dev/waiting, of sro slices explainer), or those that sro slices explain -o json"
                    + " printed.",
            "",
            "Each certificate is held against the rules of its model, by a checker that shares no code with what made"
                    + " it, and against the ResourceSlices and claims of the cluster, or of --from files. It holds, or"
                    + " what it counts has changed since, or it is wrong. Writes nothing.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 all certificates hold, or there is none; 1 one does not, or a claim has a note that cannot"
                    + " be read, and why is printed; 2 wrong arguments, a file that cannot be read, or no answer from the"
                    + " cluster.",
            "",
            "Examples:",
            "  sro slices verify",
            "  sro slices verify explained.json"
        })
final class VerifyCommand implements Callable<Integer> {
    private static final int MOST_NAME = 300;

    @Mixin
    private Inputs inputs = new Inputs();

    @Mixin
    private ClaimInput from = new ClaimInput();

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE",
            description =
                    "What sro slices explain -o json or -o yaml printed, or ResourceClaims with notes; - for standard"
                            + " input. Default: the claims of the cluster, or of --from.")
    private List<Path> files = new ArrayList<>();

    @Mixin
    private OutputForm format = new OutputForm();

    VerifyCommand() {}

    @Override
    public Integer call() {
        ClaimObjects objects = from.read();
        ProofChecks checks = new ProofChecks(objects, inputs.catalogue(), from.ofGivenFiles());
        List<Answer> answers = new ArrayList<>();
        if (files.isEmpty()) {
            objects.claims().forEach(claim -> ofClaim(claim, checks, answers));
        }
        files.forEach(file -> ofFile(file, checks, answers));
        format.print(() -> text(answers), () -> tree(answers));
        return answers.stream().allMatch(answer -> answer.verdict().compareTo(Verdict.HOLDS) <= 0)
                ? ExitCodes.OK
                : ExitCodes.FAILED;
    }

    private static void ofClaim(ResourceClaim claim, ProofChecks checks, List<Answer> answers) {
        Map<String, String> annotations = claim.getMetadata().getAnnotations();
        String note = annotations == null ? null : annotations.get(WaitingNote.ANNOTATION);
        if (note != null) {
            note(claim.getMetadata().getNamespace(), claim.getMetadata().getName(), note, checks, answers);
        }
    }

    /** Whoever may write a claim may write anything there: it keeps nobody from the others. */
    private static void note(String namespace, String name, String note, ProofChecks checks, List<Answer> answers) {
        String where = "claim " + namespace + "/" + name;
        try {
            answers.add(checks.check(where, StatedProof.ofNote(note)));
        } catch (IllegalArgumentException e) {
            answers.add(Answer.unreadable(
                    where,
                    "annotation " + WaitingNote.ANNOTATION + ": " + e.getMessage()
                            + "; take it away, and sro slices explainer writes it anew"));
        }
    }

    private static void ofFile(Path file, ProofChecks checks, List<Answer> answers) {
        String name = file.toString().equals("-") ? "standard input" : file.toString();
        int before = answers.size();
        List<Map<String, Object>> objects = ClaimInput.objects(file);
        boolean claims = false;
        for (Map<String, Object> object : objects) {
            if (ValueTrees.text(object, "kind").equals("ResourceClaim")) {
                claims = true;
                String note = ValueTrees.text(object, "metadata", "annotations", WaitingNote.ANNOTATION);
                if (!note.isEmpty()) {
                    String namespace = ValueTrees.text(object, "metadata", "namespace");
                    note(
                            namespace.isEmpty() ? "default" : namespace,
                            ValueTrees.text(object, "metadata", "name"),
                            note,
                            checks,
                            answers);
                }
            } else if (object.containsKey("pod")) {
                try {
                    answers.add(checks.check(name, StatedProof.of(object)));
                } catch (IllegalArgumentException e) {
                    throw new UnusableInputException(
                            name, e.getMessage() + "; give what sro slices explain -o json printed");
                }
            }
        }
        if (answers.size() == before && !claims) {
            throw new UnusableInputException(
                    name, "has no ResourceClaim, and nothing that sro slices explain -o json printed");
        }
    }

    private static String line(String text) {
        return StatedProof.oneLine(text);
    }

    private static String text(List<Answer> answers) {
        StringBuilder text = new StringBuilder();
        Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
        for (Answer answer : answers) {
            counts.merge(answer.verdict(), 1, Integer::sum);
            text.append(named(answer))
                    .append(": ")
                    .append(ExplanationText.word(answer.verdict()))
                    .append('\n');
            answer.certificates()
                    .forEach(certificate -> text.append("  ")
                            .append(line(certificate.about()))
                            .append(": ")
                            .append(ExplanationText.word(certificate.verdict()))
                            .append(certificate.why().isEmpty() ? "" : ": ")
                            .append(line(String.join("; ", certificate.why())))
                            .append('\n'));
            answer.why().forEach(why -> text.append("  ").append(line(why)).append('\n'));
            if (!answer.now().isEmpty() && answer.verdict() != Verdict.HOLDS) {
                text.append("  now it is ").append(line(answer.now())).append('\n');
            }
        }
        if (answers.isEmpty()) {
            return "no claim says why it waits\n";
        }
        List<String> sum = new ArrayList<>();
        counts.forEach((verdict, count) -> sum.add(count + " " + ExplanationText.word(verdict)));
        return text.append(answers.size())
                .append(" looked at: ")
                .append(String.join(", ", sum))
                .append('\n')
                .toString();
    }

    private static String named(Answer answer) {
        String pod = answer.pod().isEmpty() ? "" : ", pod " + line(answer.pod());
        return ExplanationText.cut(line(answer.where()) + pod, MOST_NAME);
    }

    private static List<Map<String, Object>> tree(List<Answer> answers) {
        return answers.stream()
                .map(answer -> Output.object(
                        "where",
                        answer.where(),
                        "pod",
                        answer.pod(),
                        "verdict",
                        ExplanationText.word(answer.verdict()),
                        "why",
                        answer.why(),
                        "now",
                        answer.now(),
                        "certificates",
                        answer.certificates().stream()
                                .map(certificate -> Output.object(
                                        "about",
                                        certificate.about(),
                                        "verdict",
                                        ExplanationText.word(certificate.verdict()),
                                        "why",
                                        certificate.why()))
                                .toList()))
                .toList();
    }
}
