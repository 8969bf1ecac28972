package dev.sro.runtime.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.core.claim.ClaimObjects;
import dev.sro.core.claim.PodExplainer;
import dev.sro.core.claim.PodExplanation;
import dev.sro.core.dra.DraOptions;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Slices on demand: pods come and go on three nodes with 16 GPUs of three models, one is refused and told why, an agent and the operator are killed,
 * and in the end nothing is lost or there twice. Confined to one thread.
 */
final class SlicesDemo implements AutoCloseable {
    static final int PHASES = 5;

    private static final String NAME = DemoDriver.NAME;
    private static final String KILLED = "gpu-a";
    private static final int PODS = 200;
    /** Far more than any pod runs or waits. */
    private static final int MOST_TICKS = 600;

    private static final Duration TICK = Duration.ofSeconds(2);
    /** A picture every so many ticks. */
    private static final int PICTURE = 15;

    /** Node, model and number of GPUs. */
    private static final Map<String, Map.Entry<String, Integer>> NODES = new TreeMap<>(Map.of(
            "gpu-a", Map.entry("A100-40GB", 6), "gpu-b", Map.entry("H100-80GB", 6), "gpu-c", Map.entry("A30-24GB", 4)));

    private static final List<String> PROFILES = List.of(
            "1g.5gb", "1g.5gb", "2g.10gb", "3g.20gb", "4g.20gb", "1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb",
            "1g.6gb", "2g.12gb");

    private static final String RESOURCE = """
        apiVersion: sro.openshift.io/v1beta1
        kind: SpecialResource
        metadata: {name: %s}
        spec:
          namespace: %s
          plugin: {name: %s}
          set: {apiVersion: sro.openshift.io/v1beta1, kind: Values, version: "1"}
        """;

    private final SroSandbox sandbox;
    private final DemoView view;
    private final Pacer pacer;
    private final DemoStage stage;
    private final SlicePods pods;
    private final Map<String, SlicedNode> nodes = new TreeMap<>();
    private final Map<String, Instant> ends = new LinkedHashMap<>();
    /** The same in every run. */
    private final Random random = new Random(21);

    private final Set<String> twice = new TreeSet<>();
    private final Set<String> asked = new TreeSet<>();
    private final Set<String> ran = new TreeSet<>();
    private final Instant begin;
    private int made;
    private int ticks;

    SlicesDemo(SroSandbox sandbox, DemoView view, Pacer pacer, Clock wall) {
        this.sandbox = sandbox;
        this.view = view;
        this.pacer = pacer;
        this.stage = new DemoStage(sandbox, view, pacer, wall, NAME, PHASES, Duration.ofMinutes(20));
        this.pods = new SlicePods(sandbox.client());
        this.begin = sandbox.cluster().clock().instant();
    }

    DemoStage stage() {
        return stage;
    }

    void install() {
        stage.run("install", "a driver and the agent come to three nodes with 16 GPUs of three models", () -> {
            URI api;
            try {
                api = sandbox.cluster().serveHttp(0).uri();
            } catch (IOException e) {
                throw new DemoFailedException("no port is free: " + e.getMessage());
            }
            NODES.forEach((name, gpus) -> {
                sandbox.nodes().create(name, NodeProfile.of(OsRelease.RHEL_9).withResource(DemoDriver.RESOURCE, "1"));
                nodes.put(
                        name,
                        new SlicedNode(
                                name,
                                gpus.getKey(),
                                gpus.getValue(),
                                api,
                                sandbox.cluster().clock()));
            });
            pods.prepare(NODES.values().stream().map(Map.Entry::getKey).toList());
            sandbox.apply(RESOURCE.formatted(NAME, NAME, NAME));
            stage.until(() -> sandbox.isReady(NAME));
            nodes.values().forEach(this::start);
            int slices = sandbox.cluster().api().list(Gvr.RESOURCESLICES).size();
            return List.of(
                    DemoStage.check(slices == 19, "19 ResourceSlices say what can be had", "there are " + slices));
        });
    }

    private void start(SlicedNode node) {
        node.start();
        sandbox.simulation().dra().register(node.name(), DraOptions.DRIVER, node);
    }

    /** Pods come, by limits, by claim and by template, run for a while, and go. */
    void churn() {
        stage.run("churn", "120 pods ask for slices of twelve profiles, run for a while, and go", () -> {
            live(120);
            return judge("what claims have is what the hardware has");
        });
    }

    /** What cannot be had is explained. */
    void refuse() {
        stage.run("refused", "whole A100s are asked for, until one cannot be had", () -> {
            PodExplanation explained = null;
            for (int i = 0; i < 7 && explained == null; i++) {
                String name = "big-" + i;
                create(name, "7g.40gb", 60);
                pass(TICK.multipliedBy(5));
                explained = explain(name);
            }
            if (explained == null) {
                throw new DemoFailedException("every pod had a whole GPU");
            }
            view.say("  pod " + explained.pod() + ": " + explained.summary());
            explained.details().forEach(line -> view.say("    " + line));
            explained.moves().ifPresent(plan -> plan.moves().forEach(move -> view.say("    move " + move)));
            boolean said = explained.state() == PodExplanation.State.NO_ROOM
                    || explained.state() == PodExplanation.State.FRAGMENTED;
            return List.of(
                    DemoStage.check(said, "why it waits is said, with the proof or the moves", "" + explained.state()));
        });
    }

    private @Nullable PodExplanation explain(String name) {
        KubernetesClient client = sandbox.client();
        List<Pod> all = pods.all();
        ClaimObjects objects = new ClaimObjects(
                client.resources(ResourceSlice.class).list().getItems(),
                client.resources(ResourceClaim.class)
                        .inNamespace(SlicePods.NAMESPACE)
                        .list()
                        .getItems(),
                client.resources(ResourceClaimTemplate.class)
                        .inNamespace(SlicePods.NAMESPACE)
                        .list()
                        .getItems(),
                client.resources(DeviceClass.class).list().getItems(),
                all,
                client.nodes().list().getItems());
        return all.stream()
                .filter(pod -> pod.getMetadata().getName().equals(name))
                .map(PodExplainer.of(objects, Catalogue.builtin())::explain)
                .filter(PodExplanation::waits)
                .findFirst()
                .orElse(null);
    }

    /** Agent and operator die at the worst moment. */
    void crash() {
        SlicedNode node = nodes.get(KILLED);
        if (node == null) {
            throw new IllegalStateException(KILLED + " is one of the nodes");
        }
        String title = "the agent of " + KILLED
                + " dies between a GPU instance and its compute instance, and the operator with it";
        stage.run("crash", title, () -> {
            node.dieInTheMiddle();
            sandbox.kill();
            int most = made + 40;
            while (!node.dead() && made < most) {
                live(made + 1);
            }
            boolean died = node.dead();
            sandbox.simulation().dra().unregister(KILLED, DraOptions.DRIVER);
            live(Math.min(PODS, made + 20));
            Set<String> drivers = drivers();
            start(node);
            sandbox.start();
            live(made + 10);
            node.repairs().forEach(repair -> view.say("  " + repair));
            List<PhaseResult.Check> checks = new ArrayList<>();
            checks.add(DemoStage.check(died, "the agent died in the middle of an instance", "it did not"));
            checks.add(DemoStage.check(
                    drivers().equals(drivers) && sandbox.isReady(NAME),
                    "the operator comes back, and no driver was started anew",
                    drivers + " became " + drivers()));
            checks.addAll(judge("after it came back, what claims have is what the hardware has"));
            return checks;
        });
    }

    /** The rest come and go. */
    void end() {
        stage.run("end", "the rest of " + PODS + " pods come, and all go", () -> {
            live(PODS);
            for (int i = 0; i < MOST_TICKS && !(ends.isEmpty() && pods.all().isEmpty()); i++) {
                tick();
            }
            sandbox.run(Duration.ofMinutes(1));
            int claims = sandbox.cluster().api().list(Gvr.RESOURCECLAIMS).size();
            List<String> left = new ArrayList<>();
            nodes.values().forEach(node -> {
                left.addAll(node.hardware());
                left.addAll(node.specifications());
            });
            return List.of(
                    DemoStage.check(
                            ran.equals(asked),
                            "all " + asked.size() + " pods had their slice, and went",
                            ran.size() + " of " + asked.size()),
                    DemoStage.check(twice.isEmpty(), "no place was ever had by two claims", "" + twice),
                    DemoStage.check(
                            left.isEmpty() && claims == 0,
                            "nothing is left: no instance, no specification, no claim",
                            left + ", claims: " + claims));
        });
    }

    private Instant now() {
        return sandbox.cluster().clock().instant();
    }

    /** Lets pods come until there were so many. */
    private void live(int until) {
        while (made < until) {
            String name = "pod-" + made++;
            create(name, PROFILES.get(random.nextInt(PROFILES.size())), 40 + random.nextInt(80));
            tick();
        }
    }

    private void create(String name, String profile, int seconds) {
        pods.create(name, profile);
        asked.add(name);
        ends.put(name, now().plusSeconds(seconds));
    }

    private void pass(Duration time) {
        for (Instant end = now().plus(time); now().isBefore(end); ) {
            tick();
        }
    }

    /** Some time passes; pods that ran long enough go, and what claims have is looked at. */
    private void tick() {
        sandbox.run(TICK);
        pacer.pass(TICK);
        Map<String, String> phases = new TreeMap<>();
        pods.all()
                .forEach(pod ->
                        phases.put(pod.getMetadata().getName(), pod.getStatus().getPhase()));
        phases.forEach((name, phase) -> {
            if (phase.equals("Running")) {
                ran.add(name);
            }
        });
        List<String> due = ends.entrySet().stream()
                .filter(entry -> entry.getValue().isBefore(now()) && "Running".equals(phases.get(entry.getKey())))
                .map(Map.Entry::getKey)
                .toList();
        due.forEach(name -> {
            pods.delete(name);
            ends.remove(name);
        });
        allocated();
        if (ticks++ % PICTURE == 0) {
            view.fleet(Duration.between(begin, now()), picture(phases));
        }
    }

    private List<String> picture(Map<String, String> phases) {
        List<String> lines = new ArrayList<>();
        nodes.forEach((name, node) ->
                lines.add(name + "  " + String.join(" ", node.pictures()) + (node.dead() ? "  no agent" : "")));
        long running = phases.values().stream().filter("Running"::equals).count();
        lines.add(running + " pods run, " + (phases.size() - running) + " wait or go, " + made + " came");
        return lines;
    }

    /** Devices that claims have, by node. */
    private Map<String, List<String>> allocated() {
        Map<String, List<String>> allocated = new TreeMap<>();
        for (ObjectNode claim : sandbox.cluster().api().list(Gvr.RESOURCECLAIMS)) {
            for (JsonNode result : claim.at("/status/allocation/devices/results")) {
                String node = result.get("pool").asText().replace("-" + DraOptions.DRIVER, "");
                String device = result.get("device").asText();
                List<String> own = allocated.computeIfAbsent(node, key -> new ArrayList<>());
                if (own.contains(device)) {
                    twice.add(node + "/" + device);
                }
                own.add(device);
            }
        }
        return allocated;
    }

    private List<PhaseResult.Check> judge(String text) {
        // Those that are on the way to or from their slice arrive.
        sandbox.run(Duration.ofSeconds(30));
        Map<String, List<String>> allocated = allocated();
        List<String> differences = new ArrayList<>();
        nodes.forEach((name, node) -> {
            TreeSet<String> has = new TreeSet<>(node.hardware());
            TreeSet<String> shall = new TreeSet<>(allocated.getOrDefault(name, List.of()));
            if (!has.equals(shall) || node.hardware().size() != has.size()) {
                differences.add(name + ": claims have " + shall + ", the hardware has " + node.hardware());
            }
        });
        int slices = allocated.values().stream().mapToInt(List::size).sum();
        return List.of(
                DemoStage.check(differences.isEmpty(), text + ": " + slices + " slices", "" + differences),
                DemoStage.check(twice.isEmpty(), "no place was ever had by two claims", "" + twice));
    }

    /** UIDs of the driver's pods. */
    private Set<String> drivers() {
        Set<String> drivers = new TreeSet<>();
        sandbox.cluster().api().list(Gvr.PODS).stream()
                .filter(pod -> pod.at("/metadata/namespace").asText().equals(NAME))
                .forEach(pod -> drivers.add(pod.at("/metadata/uid").asText()));
        return drivers;
    }

    @Override
    public void close() {
        nodes.values().forEach(SlicedNode::close);
    }
}
