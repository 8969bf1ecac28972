package dev.sro.testkit.scale;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.lookup.MonotonicClock;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.DeleteOptions;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Hours of a cluster's time with faults of every kind: half an hour of them, in which nodes flap and boot into other kernels, then half an
 * hour of calm, at the end of which everything is as it should be and no request is made. Equal seeds give equal days. Confined to one
 * thread.
 */
final class LongDay implements AutoCloseable {

    static final List<String> KERNELS =
            List.of("5.14.0-427.50.1.el9_4.x86_64", "5.14.0-427.11.1.el9_4.x86_64", "5.14.0-362.8.1.el9_3.x86_64");

    /** Every so many-th node has the second device, whose driver is upgraded. */
    static final int GPU_OF = 10;

    /** Every so many-th node has guests: special resources that come and go, and the one whose plugin hangs. */
    static final int GUESTS_OF = 50;

    private static final Duration SLOWEST_WATCH = Duration.ofSeconds(10);
    /** Full after an hour, so that the cluster itself does not grow for long. */
    private static final int HISTORY = 500;

    private static final int FAULTY_MINUTES = 30;
    private static final Duration CALM = Duration.ofMinutes(20);
    private static final Duration REST = Duration.ofMinutes(10);
    private static final Duration FIRST = Duration.ofHours(2);
    private static final int COLLECTIONS = 4;
    private static final int MOST_TOLD = 8;

    /** What is looked at when an hour ends, at rest. */
    record Hour(
            int hour,
            long heapBytes,
            int threads,
            Map<String, Integer> watches,
            int timers,
            long objects,
            String what) {}

    final SroSandbox sandbox;
    final WriteLedger ledger;
    final LongDayPlugins plugins = new LongDayPlugins();
    final Set<String> touched = new TreeSet<>();
    final Random random;
    final int nodes;
    private final LongDayFaults faults;
    private final List<String> findings = new ArrayList<>();
    private Duration clockOff = Duration.ZERO;
    private int driver = 1;

    LongDay(int nodes, long seed) {
        this.nodes = nodes;
        random = new Random(seed);
        sandbox = SroSandbox.create(
                EmbeddedCluster.builder().seed(seed).historyWindow(HISTORY).randomDelivery(SLOWEST_WATCH),
                plugins.all());
        ledger = new WriteLedger(sandbox.cluster().api());
        LongDayPlugins.Guard guard = plugins.guard();
        sandbox.guard(guard).clock(this::clock).writer(ledger::of);
        sandbox.simulation().registry().onlyPushed("registry.example/kmod:*");
        sandbox.kill();
        sandbox.start();
        faults = new LongDayFaults(this);
    }

    /** As a process has it: it follows the time of day, which somebody may set, and never goes back. */
    private Clock clock() {
        Clock cluster = sandbox.cluster().clock();
        InstantSource off = () -> cluster.instant().plus(clockOff);
        return MonotonicClock.of(
                off.withZone(ZoneOffset.UTC),
                () -> TimeUnit.MILLISECONDS.toNanos(sandbox.cluster().clock().millis()));
    }

    void setClock(Duration by) {
        clockOff = clockOff.plus(by);
    }

    List<String> findings() {
        return findings;
    }

    /** All nodes, and the special resources that stay. */
    void begin() {
        for (int i = 0; i < nodes; i++) {
            NodeProfile profile = NodeProfile.of(OsRelease.RHEL_9)
                    .withKernel(KERNELS.get(i % KERNELS.size()))
                    .withLabel("example.com/device", "true");
            profile = i % GPU_OF == 0 ? profile.withLabel("example.com/gpu", "true") : profile;
            profile = i % GUESTS_OF == 1 ? profile.withLabel("example.com/guests", "true") : profile;
            sandbox.nodes().create("n" + i, profile);
        }
        apply("kmod", "kmod", "example.com/device", "{}", "1");
        apply("hangs", "hangs", "example.com/guests", "{}", "1");
        upgrade();
        comesToRest(FIRST, "at the beginning");
        touched.clear();
        ledger.nodes();
    }

    void upgrade() {
        apply(
                "gpu",
                "gpu",
                "example.com/gpu",
                "{autoUpgrade: true, maxParallelUpgrades: 0, maxUnavailable: \"10%\", retries: 3}",
                Integer.toString(driver++));
    }

    void apply(String name, String plugin, String label, String policy, String version) {
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: %1$s}
            spec:
              namespace: %1$s
              plugin: {name: %2$s}
              nodeSelector: {%3$s: "true"}
              set: {apiVersion: sro.openshift.io/v1beta1, kind: Values, version: "%5$s", digest: "%5$s"}
              upgradePolicy: %4$s
            """.formatted(name, plugin, label, policy, version));
    }

    /** One hour, from the first fault to the rest at its end. */
    Hour live(int hour) {
        faults.begin(hour);
        for (int minute = 0; minute < FAULTY_MINUTES; minute++) {
            faults.minute(minute);
            sandbox.run(Duration.ofMinutes(1));
            faults.startAgain();
        }
        faults.end();
        comesToRest(CALM, "in hour " + hour);
        isQuiet("in hour " + hour);
        untouchedNodesAreNotWritten(hour);
        forgetEvents();
        return look(hour);
    }

    private void comesToRest(Duration limit, String when) {
        if (!sandbox.runUntil(limit, this::allReady)) {
            findings.add(when + " not ready after " + limit + ": " + states());
        }
        // What a watch tells late, and the look whether something is needed any more.
        sandbox.run(Duration.ofMinutes(8));
    }

    private boolean allReady() {
        return sandbox.isReady("kmod")
                && sandbox.isReady("gpu")
                && sandbox.isReady("hangs")
                && resources().size() == 3;
    }

    private Set<String> resources() {
        Set<String> names = new TreeSet<>();
        sandbox.client()
                .resources(SpecialResource.class)
                .list()
                .getItems()
                .forEach(resource -> names.add(resource.getMetadata().getName()));
        return names;
    }

    private String states() {
        Map<String, String> states = new TreeMap<>();
        resources().forEach(name -> states.put(name, sandbox.state(name)));
        return states.toString();
    }

    private void isQuiet(String when) {
        Recording recording = sandbox.cluster().recording();
        recording.start();
        sandbox.run(REST);
        List<String> requests = recording.entries(entry -> entry.userAgent().equals("sro")).stream()
                .map(entry -> entry.verb() + " " + entry.resource() + " " + entry.name())
                .toList();
        recording.stop();
        recording.reset();
        if (!requests.isEmpty()) {
            findings.add(when + " " + requests.size() + " requests at rest: "
                    + requests.subList(0, Math.min(MOST_TOLD, requests.size())));
        }
    }

    private void untouchedNodesAreNotWritten(int hour) {
        Map<String, Integer> written = ledger.nodes();
        written.keySet().removeAll(touched);
        touched.clear();
        if (!written.isEmpty()) {
            findings.add("in hour " + hour + " nodes are written to which nothing happened: " + written.size() + ", "
                    + written.entrySet().stream().limit(MOST_TOLD).toList());
        }
    }

    /** An API server keeps events for an hour. */
    private void forgetEvents() {
        for (Gvr type : List.of(Gvr.EVENTS, new Gvr("events.k8s.io", "v1", "events"))) {
            sandbox.cluster()
                    .api()
                    .list(type)
                    .forEach(event -> sandbox.cluster()
                            .api()
                            .delete(
                                    type,
                                    event.at("/metadata/namespace").asText(),
                                    event.at("/metadata/name").asText(),
                                    DeleteOptions.DEFAULT));
        }
        sandbox.settle();
    }

    private Hour look(int hour) {
        long objects = 0;
        for (Gvr type : List.of(Gvr.NODES, Gvr.PODS, Gvr.DAEMONSETS, Gvr.CONFIGMAPS, Gvr.JOBS, Gvr.NAMESPACES)) {
            objects += sandbox.cluster().api().list(type).size();
        }
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return new Hour(
                hour,
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                ManagementFactory.getThreadMXBean().getThreadCount(),
                sandbox.cluster().server().openWatchesByType(),
                sandbox.pendingTimers().size(),
                objects,
                faults.told());
    }

    /** A fresh operator on the same objects, which has nothing to do. */
    void isJudged() {
        String before = states();
        sandbox.kill();
        Recording recording = sandbox.cluster().recording();
        recording.start();
        sandbox.start();
        sandbox.run(Duration.ofMinutes(30));
        List<Recording.Entry> writes =
                recording.entries(entry -> entry.userAgent().equals("sro") && entry.isWrite());
        if (!writes.isEmpty()) {
            findings.add("a fresh operator makes " + writes.size() + " writes: "
                    + writes.subList(0, Math.min(MOST_TOLD, writes.size())));
        }
        if (!before.equals(states())) {
            findings.add("a fresh operator says " + states() + " where the former one said " + before);
        }
    }

    Instant now() {
        return sandbox.cluster().clock().instant();
    }

    @Override
    public void close() {
        sandbox.close();
        plugins.close();
    }
}
