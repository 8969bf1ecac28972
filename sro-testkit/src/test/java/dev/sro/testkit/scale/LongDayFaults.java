package dev.sro.testkit.scale;

import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.ApiException;
import dev.sro.testkit.server.ApiRequest;
import dev.sro.testkit.server.ApiServer;
import dev.sro.testkit.server.Faults;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.sim.Behavior;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** What goes wrong in each minute of a long day. */
final class LongDayFaults {

    /** Of so many nodes one flaps and one boots anew, each minute. */
    private static final int NODES_OF = 1_000;

    /** In these hours of twelve another operator takes over, three times; the one that is left lives for eleven hours then. */
    private static final int LEADERS_EVERY = 12;

    private static final int UPGRADE_EVERY = 3;

    /** Real time: a client waits some milliseconds before it watches again. */
    private static final long WATCH_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final LongDay day;
    private final SroSandbox sandbox;
    private final Random random;
    private final Map<String, Integer> counts = new TreeMap<>();
    private final Set<String> away = new TreeSet<>();
    private int hour;
    private String guest = "";

    LongDayFaults(LongDay day) {
        this.day = day;
        this.sandbox = day.sandbox;
        this.random = day.random;
    }

    void begin(int number) {
        hour = number;
        counts.clear();
    }

    /** What happened in this hour. */
    String told() {
        return counts.toString();
    }

    private void tell(String what) {
        counts.merge(what, 1, Integer::sum);
    }

    void minute(int minute) {
        back();
        int some = Math.max(1, day.nodes / NODES_OF);
        for (int i = 0; i < some; i++) {
            flap();
            reboot();
        }
        switch (minute) {
            case 1 -> guest(true);
            case 2 -> crash();
            case 3, 16 -> requestsFail();
            case 6 -> restart(false);
            case 8 -> setClock();
            case 9 -> {
                if (hour % UPGRADE_EVERY == 0) {
                    upgrade();
                }
            }
            case 10 -> hang();
            case 12 -> restart(true);
            case 20 -> guest(false);
            case 22, 24, 26 -> {
                if (hour % LEADERS_EVERY == 1) {
                    anotherLeads();
                }
            }
            case 28 -> setClock();
            default -> {
                // Nodes are enough.
            }
        }
    }

    /** All of it stops. */
    void end() {
        back();
        sandbox.cluster().faults().clear();
        sandbox.simulation().behaviors().clear();
        day.plugins.goOn();
        startAgain();
    }

    private String node() {
        String name = "n" + random.nextInt(day.nodes);
        day.touched.add(name);
        return name;
    }

    /** Its kubelet does not answer until the next minute. */
    private void flap() {
        String name = node();
        if (away.add(name)) {
            tell("flap");
            sandbox.nodes().notReady(name);
        }
    }

    private void back() {
        away.forEach(sandbox.nodes()::ready);
        away.clear();
    }

    private void reboot() {
        String name = node();
        if (!away.contains(name)) {
            tell("reboot");
            sandbox.nodes().reboot(name, LongDay.KERNELS.get(random.nextInt(LongDay.KERNELS.size())));
        }
    }

    private void guest(boolean comes) {
        if (comes) {
            guest = "guest-" + hour;
            tell("special resource made");
            day.apply(guest, "guest", "example.com/guests", "{}", "1");
        } else {
            tell("special resource deleted");
            sandbox.client().resources(SpecialResource.class).withName(guest).delete();
        }
        touch(LongDay.GUESTS_OF, 1);
    }

    private void touch(int of, int from) {
        for (int i = from; i < day.nodes; i += of) {
            day.touched.add("n" + i);
        }
    }

    /** Drivers that start on some nodes crash. */
    private void crash() {
        tell("drivers crash");
        String some = "n" + (1 + random.nextInt(9)) + "?";
        sandbox.simulation()
                .behaviors()
                .add(Behavior.crashLoop().image("registry.example/kmod:*").node(some));
    }

    private void upgrade() {
        tell("driver upgraded");
        day.upgrade();
        touch(LongDay.GPU_OF, 0);
    }

    private void hang() {
        tell("plugin hangs");
        day.plugins.hang();
        // Whoever looks at it finds out.
        day.apply("hangs", "hangs", "example.com/guests", "{}", Integer.toString(1 + hour));
        touch(LongDay.GUESTS_OF, 1);
    }

    private void setClock() {
        tell("clock set");
        day.setClock(Duration.ofMinutes(random.nextInt(240) - 120L));
    }

    private void requestsFail() {
        int which = random.nextInt(7);
        sandbox.cluster().faults().clear();
        Faults.Rule rule = sandbox.cluster()
                .faults()
                .rule()
                .verbs("get", "create", "update", "patch", "delete")
                .when(LongDayFaults::isOperator)
                .chance(0.1 + 0.5 * random.nextDouble())
                .times(2_000);
        switch (which) {
            case 0 -> {
                tell("429");
                rule.tooManyRequests(Duration.ofSeconds(1 + random.nextInt(10)));
            }
            case 1, 2 -> {
                tell("etcd is full");
                rule.answer(new ApiException(500, "InternalError", "etcdserver: mvcc: database space exceeded"));
            }
            case 3 -> {
                tell("503");
                rule.unavailable();
            }
            case 4 -> {
                tell("504");
                rule.timeout();
            }
            case 5 -> {
                tell("connections break");
                rule.connectionReset();
            }
            default -> {
                tell("answers are lost");
                rule.loseAnswer();
            }
        }
    }

    private static boolean isOperator(ApiRequest request) {
        return request.userAgent().equals("sro");
    }

    /** All watches end, something happens meanwhile, and with some luck it is forgotten before the client watches again (410). */
    private void restart(boolean forgets) {
        tell(forgets ? "watches get 410" : "API server restarts");
        ApiServer server = sandbox.cluster().server();
        int open = server.openWatches(null);
        @Nullable Gvr type = forgets && random.nextBoolean() ? Gvr.PODS : null;
        server.dropWatches(type);
        reboot();
        if (forgets) {
            server.forgetHistory(type);
        }
        sandbox.settle();
        long deadline = System.nanoTime() + WATCH_AGAIN_NANOS;
        while (server.openWatches(null) < open && System.nanoTime() < deadline) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            sandbox.settle();
        }
    }

    /** The one that leads does not see that its lease ran out, and goes on for half a minute. */
    private void anotherLeads() {
        tell("another operator leads");
        sandbox.cluster().faults().clear();
        try {
            sandbox.takeOver();
        } catch (KubernetesClientException e) {
            tell("cannot start");
        }
        sandbox.run(Duration.ofSeconds(30));
        sandbox.endFormer();
    }

    /** A platform starts a process again that could not start. */
    void startAgain() {
        if (!sandbox.isRunning()) {
            try {
                sandbox.start();
            } catch (KubernetesClientException e) {
                tell("cannot start");
            }
        }
    }
}
