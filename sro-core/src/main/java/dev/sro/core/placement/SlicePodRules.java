package dev.sro.core.placement;

import dev.sro.core.das.DasNames;
import dev.sro.core.slicing.mig.MigResources;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How a pod that asks for slices is changed before it is stored, and what a webhook is asked by: the rules are its path, so that whoever answers need not look
 * them up. Pods that ask for none, whole GPUs among them, are left as they are. Immutable; a pure function of the pod.
 *
 * @param way how it comes to its places
 * @param names how agents call their resources
 * @param scheduler name of the scheduler that asks the extender; empty but with {@link Way#SCHEDULER}
 */
public record SlicePodRules(Way way, Names names, String scheduler) {
    /** Name of the scheduling gate at which pods wait for their slices. */
    public static final String GATE = "slices.sro.dev/placement";

    /** Annotation of a pod whose gate was opened: the node where its slices are. */
    public static final String NODE = "slices.sro.dev/node";

    /** Path of the webhook, before the rules. */
    public static final String PATH = "/slices/";

    /** What the API server puts where a pod names no scheduler. */
    private static final String DEFAULT_SCHEDULER = "default-scheduler";

    /** DAS's own, which is not there where this webhook is. */
    private static final String DAS_SCHEDULER = "das-scheduler";

    /** How a pod comes to its places. */
    public enum Way {
        /** It waits at the gate until it has them. */
        GATES("gates"),
        /** A scheduler that asks the extender binds it. */
        SCHEDULER("scheduler"),
        /** Nobody promises it anything: the scheduler counts, and kubelet gives what is free. */
        COUNTS("counts");

        private final String text;

        Way(String text) {
            this.text = text;
        }
    }

    /** How agents call their resources. */
    public enum Names {
        /** {@code nvidia.com/mig-1g.5gb.me}. */
        NVIDIA("nvidia"),
        /** {@code mig.das.com/1g.5gb-plus-me}. */
        DAS("das");

        private final String text;

        Names(String text) {
            this.text = text;
        }

        String resource(String profile) {
            return this == DAS ? DasNames.resource(profile) : MigResources.resource(profile);
        }
    }

    /**
     * What becomes of a pod. Immutable.
     *
     * @param patch operations of a JSON patch (RFC 6902); empty if it has all of it
     * @param warnings for who made it
     * @param refusal why it is refused, naming pod, field and fix; empty if it is not
     */
    public record Verdict(List<Map<String, Object>> patch, List<String> warnings, String refusal) {
        /** Copies the lists. */
        public Verdict {
            patch = List.copyOf(patch);
            warnings = List.copyOf(warnings);
        }

        private static Verdict refused(String why) {
            return new Verdict(List.of(), List.of(), why);
        }
    }

    /**
     * Checks that there is a scheduler where one is needed, and none elsewhere.
     *
     * @throws IllegalArgumentException if not
     */
    public SlicePodRules {
        if ((way == Way.SCHEDULER) == scheduler.isEmpty()) {
            throw new IllegalArgumentException(
                    way == Way.SCHEDULER ? "the name of the scheduler is missing" : way.text + " has no scheduler");
        }
        if (!scheduler.matches("[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?|")) {
            throw new IllegalArgumentException("\"" + scheduler + "\" is not the name of a scheduler");
        }
    }

    /** The path at which a webhook is asked by these rules: {@code /slices/gates/nvidia}, {@code /slices/scheduler/das/NAME}. */
    public String path() {
        return PATH + way.text + "/" + names.text + (scheduler.isEmpty() ? "" : "/" + scheduler);
    }

    /**
     * The rules of a path.
     *
     * @throws IllegalArgumentException if it is none of {@link #path}
     */
    public static SlicePodRules at(String path) {
        String[] parts = path.startsWith(PATH) ? path.substring(PATH.length()).split("/", -1) : new String[0];
        if (parts.length == 2 || parts.length == 3) {
            for (Way way : Way.values()) {
                for (Names names : Names.values()) {
                    if (way.text.equals(parts[0]) && names.text.equals(parts[1])) {
                        return new SlicePodRules(way, names, parts.length == 3 ? parts[2] : "");
                    }
                }
            }
        }
        throw new IllegalArgumentException(path + " is not " + PATH + "gates|scheduler|counts/nvidia|das[/SCHEDULER]");
    }

    /**
     * What becomes of a pod that is created.
     *
     * @param pod as it is to be stored, its namespace in it
     */
    public Verdict judge(Pod pod) {
        List<String> warnings = new ArrayList<>();
        List<Map<String, Object>> patch = new ArrayList<>();
        try {
            if (PodSlices.of(pod).isEmpty()) {
                return new Verdict(List.of(), List.of(), "");
            }
            rename(pod, pod.getSpec().getInitContainers(), "initContainers", patch, warnings);
            rename(pod, pod.getSpec().getContainers(), "containers", patch, warnings);
        } catch (IllegalArgumentException e) {
            return Verdict.refused(String.valueOf(e.getMessage()));
        }
        String refusal = scheduler(pod, patch, warnings);
        if (!refusal.isEmpty()) {
            return Verdict.refused(refusal);
        }
        if (way == Way.GATES) {
            gate(pod, patch, warnings);
        }
        return new Verdict(patch, warnings, "");
    }

    private void rename(
            Pod pod, List<Container> containers, String field, List<Map<String, Object>> patch, List<String> warnings) {
        for (int i = 0; i < containers.size(); i++) {
            Container container = containers.get(i);
            if (container.getResources() != null) {
                String path = "/spec/" + field + "/" + i + "/resources/";
                Map<String, Quantity> limits = container.getResources().getLimits();
                rename(limits, path + "limits", patch);
                rename(container.getResources().getRequests(), path + "requests", patch);
                for (String resource : limits == null ? List.<String>of() : List.copyOf(limits.keySet())) {
                    if (resource.startsWith(DasNames.RESOURCES)
                            && MigResources.profile(resource).isEmpty()) {
                        warnings.add(PodSlices.name(pod) + ": no node has " + resource + ", which is no profile");
                    }
                }
            }
        }
    }

    /** What is called otherwise is given its name; two spellings of one profile are one amount. */
    private void rename(@Nullable Map<String, Quantity> amounts, String path, List<Map<String, Object>> patch) {
        if (amounts == null) {
            return;
        }
        Map<String, String> wanted = new TreeMap<>();
        List<String> gone = new ArrayList<>();
        for (Map.Entry<String, Quantity> entry : new TreeMap<>(amounts).entrySet()) {
            Optional<String> profile = MigResources.profile(entry.getKey());
            if (profile.isPresent()) {
                String resource = names.resource(profile.get());
                wanted.merge(resource, entry.getValue().toString(), SlicePodRules::sum);
                if (!resource.equals(entry.getKey())) {
                    gone.add(entry.getKey());
                }
            }
        }
        gone.forEach(resource ->
                patch.add(PatchOperations.operation("remove", path + "/" + PatchOperations.escaped(resource), null)));
        wanted.forEach((resource, amount) -> {
            Quantity before = amounts.get(resource);
            if (before == null || !before.toString().equals(amount)) {
                patch.add(PatchOperations.operation("add", path + "/" + PatchOperations.escaped(resource), amount));
            }
        });
    }

    private static String sum(String one, String other) {
        return new Quantity(one)
                .getNumericalAmount()
                .add(new Quantity(other).getNumericalAmount())
                .toBigInteger()
                .toString();
    }

    /** Why the pod's own scheduler cannot be; empty if it can, or is replaced because nobody chose it. */
    private String scheduler(Pod pod, List<Map<String, Object>> patch, List<String> warnings) {
        String own =
                pod.getSpec().getSchedulerName() == null ? "" : pod.getSpec().getSchedulerName();
        String wanted = way == Way.SCHEDULER ? scheduler : own;
        if (own.equals(DAS_SCHEDULER) && way != Way.SCHEDULER) {
            wanted = DEFAULT_SCHEDULER;
        }
        if (own.equals(wanted)) {
            return "";
        }
        if (own.equals(DAS_SCHEDULER)) {
            warnings.add(PodSlices.name(pod) + ": spec.schedulerName " + own + " is DAS's; it is " + wanted + " now");
        } else if (!own.isEmpty() && !own.equals(DEFAULT_SCHEDULER)) {
            return PodSlices.name(pod) + ": spec.schedulerName is \"" + own + "\", which knows no slices: leave it out,"
                    + " write " + wanted + ", or give the pod the label " + SliceWebhook.LABEL + "="
                    + SliceWebhook.IGNORE;
        }
        patch.add(PatchOperations.operation("add", "/spec/schedulerName", wanted));
        return "";
    }

    private static void gate(Pod pod, List<Map<String, Object>> patch, List<String> warnings) {
        List<PodSchedulingGate> gates = pod.getSpec().getSchedulingGates();
        if (gates.stream().anyMatch(gate -> GATE.equals(gate.getName()))) {
            return;
        }
        String node = pod.getSpec().getNodeName();
        if (node != null && !node.isEmpty()) {
            warnings.add(PodSlices.name(pod) + ": spec.nodeName is set: it gets what is free on " + node
                    + ", and is refused there if nothing is");
            return;
        }
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        if (annotations != null && annotations.containsKey(NODE)) {
            // Of the pod that this one was copied from.
            patch.add(PatchOperations.operation(
                    "remove", "/metadata/annotations/" + PatchOperations.escaped(NODE), null));
        }
        List<Map<String, Object>> all = new ArrayList<>();
        gates.forEach(gate -> all.add(Map.of("name", gate.getName())));
        all.add(Map.of("name", GATE));
        patch.add(PatchOperations.operation("add", "/spec/schedulingGates", all));
    }
}
