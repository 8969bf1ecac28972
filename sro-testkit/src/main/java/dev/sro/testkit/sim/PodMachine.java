package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One pod on a simulated node: init containers one after the other, then all others; phase, conditions, deletion. */
final class PodMachine {
    final String uid;
    final String node;
    private final boolean kwok;
    private final String restartPolicy;
    private final List<ContainerMachine> inits = new ArrayList<>();
    private final List<ContainerMachine> mains = new ArrayList<>();
    private final Instant accepted;
    private final String hostIp;
    private final String ip;
    private boolean dirty;
    /** When the deletion was first seen, null before that. */
    @Nullable Instant killSeen;

    PodMachine(JsonNode pod, ContainerEnv env, boolean kwok, String hostIp, String ip, Instant now) {
        this.uid = JsonNodes.uid(pod);
        this.node = env.node();
        this.kwok = kwok;
        this.restartPolicy = env.restartPolicy();
        this.accepted = now;
        this.hostIp = hostIp;
        this.ip = ip;
        JsonNodes.at(pod, "spec", "initContainers").forEach(c -> inits.add(new ContainerMachine(env, c, true)));
        JsonNodes.at(pod, "spec", "containers").forEach(c -> mains.add(new ContainerMachine(env, c, false)));
        this.dirty = !inits.isEmpty();
    }

    String ip() {
        return ip;
    }

    /** Does what is due by now. */
    void advance(Instant now) {
        boolean more = true;
        while (more) {
            letNextBegin(now);
            Instant before = nextDue();
            all().forEach(c -> c.advance(now));
            Instant after = nextDue();
            more = (before != null && !before.isAfter(now)) || (after != null && !after.isAfter(now)) || waitsToBegin();
        }
    }

    private void letNextBegin(Instant now) {
        for (ContainerMachine c : inits) {
            if (c.idle()) {
                c.begin(now);
            }
            if (!passed(c)) {
                return;
            }
        }
        for (ContainerMachine c : mains) {
            if (c.idle()) {
                c.begin(now);
            }
        }
    }

    private boolean waitsToBegin() {
        return initialized() && mains.stream().anyMatch(ContainerMachine::idle);
    }

    private static boolean passed(ContainerMachine init) {
        return init.sidecar() ? init.running() : init.done() && !init.failed();
    }

    private boolean initialized() {
        return inits.stream().allMatch(PodMachine::passed);
    }

    private Stream<ContainerMachine> all() {
        return Stream.concat(inits.stream(), mains.stream());
    }

    @Nullable Instant nextDue() {
        Instant first = null;
        for (ContainerMachine c : all().toList()) {
            Instant due = c.nextDue();
            if (due != null && (first == null || due.isBefore(first))) {
                first = due;
            }
        }
        return first;
    }

    /** Whether the status has to be written. */
    boolean takeChanged() {
        boolean was = dirty;
        dirty = false;
        for (ContainerMachine c : all().toList()) {
            was |= c.takeChanged();
        }
        return was;
    }

    void touch() {
        dirty = true;
    }

    boolean delayed() {
        return all().anyMatch(ContainerMachine::delayed);
    }

    Set<String> missingImages() {
        Set<String> out = new TreeSet<>();
        for (ContainerMachine c : all().toList()) {
            String image = c.missingImage();
            if (image != null) {
                out.add(image);
            }
        }
        return out;
    }

    void imageArrived(String image, Instant now) {
        all().filter(c -> image.equals(c.missingImage())).forEach(c -> c.imageArrived(now));
    }

    void reboot(Instant now) {
        all().forEach(c -> c.reboot(now));
        dirty = true;
    }

    void kill(String container, Instant now) {
        all().filter(c -> container.isEmpty() || c.name.equals(container)).forEach(c -> c.kill(now));
    }

    /** What the container of this name writes, by the rule that it follows; the first one that writes where the name is empty. */
    String says(String container) {
        return all().filter(c -> container.isEmpty() || c.name.equals(container))
                .map(ContainerMachine::says)
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("");
    }

    void stop(Instant now) {
        all().forEach(c -> c.stop(now));
    }

    boolean hasRun() {
        return all().anyMatch(ContainerMachine::hasRun);
    }

    boolean stubborn() {
        return all().anyMatch(c -> c.running() && c.stubborn());
    }

    String phase() {
        boolean initFailed = inits.stream().anyMatch(ContainerMachine::failed);
        if (initFailed) {
            return "Failed";
        }
        if (!initialized() || mains.stream().anyMatch(c -> !c.hasRun())) {
            return "Pending";
        }
        if (!mains.stream().allMatch(ContainerMachine::done)) {
            return "Running";
        }
        boolean failed = mains.stream().anyMatch(ContainerMachine::failed);
        return failed ? "Failed" : restartPolicy.equals("Always") ? "Running" : "Succeeded";
    }

    /** Writes what the kubelet owns of a pod's status, and keeps what others wrote. */
    void write(ObjectNode status, Instant now) {
        String phase = phase();
        status.put("phase", phase);
        conditions(status, phase, now);
        status.put("hostIP", hostIp);
        status.putArray("hostIPs").addObject().put("ip", hostIp);
        if (hasRun()) {
            status.put("podIP", ip);
            status.putArray("podIPs").addObject().put("ip", ip);
        }
        status.put("startTime", JsonNodes.time(accepted));
        boolean initialized = initialized();
        if (!inits.isEmpty()) {
            ArrayNode list = status.putArray("initContainerStatuses");
            for (ContainerMachine c : inits) {
                list.add(c.status(c.idle()));
            }
        }
        ArrayNode list = status.putArray("containerStatuses");
        mains.forEach(c -> list.add(c.status(!initialized)));
    }

    private void conditions(ObjectNode status, String phase, Instant now) {
        ArrayNode old = JsonNodes.array(status, "conditions").deepCopy();
        ObjectNode fresh = JsonNodes.object();
        fresh.set("conditions", old);
        boolean over = phase.equals("Succeeded") || phase.equals("Failed");
        String why = phase.equals("Succeeded") ? "PodCompleted" : phase.equals("Failed") ? "PodFailed" : "";
        boolean ready = over ? kwok : mains.stream().allMatch(ContainerMachine::ready) && sidecarsReady();
        Conditions.set(fresh, initializedCondition(), now);
        for (String type : List.of("Ready", "ContainersReady")) {
            String reason = ready ? "" : over ? why : "ContainersNotReady";
            String message = ready || over ? "" : "containers with unready status: " + unready();
            Conditions.set(fresh, Conditions.ofPod(type, ready, reason, message), now);
        }
        if (Conditions.find(JsonNodes.object().set("status", fresh), "PodScheduled")
                .isMissingNode()) {
            Conditions.set(fresh, Conditions.ofPod("PodScheduled", true, "", ""), now);
        }
        status.set("conditions", ordered(JsonNodes.array(fresh, "conditions")));
    }

    private boolean sidecarsReady() {
        return inits.stream().filter(ContainerMachine::sidecar).allMatch(ContainerMachine::ready);
    }

    private ObjectNode initializedCondition() {
        if (initialized()) {
            return Conditions.ofPod("Initialized", true, "", "");
        }
        List<String> missing =
                inits.stream().filter(c -> !passed(c)).map(c -> c.name).toList();
        return Conditions.ofPod(
                "Initialized",
                false,
                "ContainersNotInitialized",
                "containers with incomplete status: " + bracketed(missing));
    }

    private String unready() {
        return bracketed(mains.stream().filter(c -> !c.ready()).map(c -> c.name).toList());
    }

    private static String bracketed(List<String> names) {
        return "[" + String.join(" ", names) + "]";
    }

    /** The kubelet's own conditions come first, in its order. */
    private static ArrayNode ordered(ArrayNode conditions) {
        ArrayNode out = conditions.arrayNode();
        List<String> first = List.of("Initialized", "Ready", "ContainersReady", "PodScheduled");
        for (String type : first) {
            for (JsonNode c : conditions) {
                if (JsonNodes.text(c, "type").equals(type)) {
                    out.add(c);
                }
            }
        }
        for (JsonNode c : conditions) {
            if (!first.contains(JsonNodes.text(c, "type"))) {
                out.add(c);
            }
        }
        return out;
    }
}
