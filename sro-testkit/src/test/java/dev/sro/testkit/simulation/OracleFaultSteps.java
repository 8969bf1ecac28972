package dev.sro.testkit.simulation;

import dev.sro.core.client.ClientOperator;
import dev.sro.core.driver.RegistryProbe;
import dev.sro.testkit.server.ApiRequest;
import dev.sro.testkit.server.Faults;
import dev.sro.testkit.sim.Behavior;
import java.time.Duration;
import java.util.Random;

/** What goes wrong in a random history, and how it stops. */
final class OracleFaultSteps {

    private final OracleWorld world;
    private Random random;

    OracleFaultSteps(OracleWorld world, Random random) {
        this.world = world;
        this.random = random;
    }

    /** What is drawn from here on. */
    void draw(Random from) {
        random = from;
    }

    /** All of it stops, and nobody restarts anything. Half of what is missing comes. */
    void end() {
        world.sandbox.cluster().faults().clear();
        world.mendOperands();
        world.dieNoMore();
        world.charts.bringBackWhatWasHad();
        world.images.bringBackWhatWasHad();
        for (String chart : world.chartNames()) {
            if (random.nextBoolean()) {
                world.charts.fate(chart, OracleCharts.Fate.FOUND);
            }
        }
        if (random.nextBoolean()) {
            world.images.answer(RegistryProbe.Kind.FOUND);
        }
    }

    void chart() {
        String chart = world.chartNames().get(random.nextInt(world.chartNames().size()));
        OracleCharts.Fate fate = OracleCharts.FATES.get(random.nextInt(OracleCharts.FATES.size()));
        world.log.add("chart " + chart + " is " + fate);
        world.charts.fate(chart, fate);
    }

    void image() {
        int which = random.nextInt(4);
        world.log.add("images of drivers " + which);
        switch (which) {
            case 0 -> world.images.answer(RegistryProbe.Kind.FOUND);
            case 1 -> world.images.answer(RegistryProbe.Kind.MISSING);
            case 2 -> world.images.answer(RegistryProbe.Kind.UNREACHABLE);
            default -> world.images.fail();
        }
    }

    void behave() {
        int which = random.nextInt(3);
        world.log.add("operands misbehave " + which);
        world.sandbox
                .simulation()
                .behaviors()
                .add(
                        switch (which) {
                            case 0 -> Behavior.crashLoop().image("registry.example/kmod:*");
                            case 1 -> Behavior.pullError("registry is away").image("registry.example/*");
                            default -> Behavior.neverReady().image("registry.example/driver:*");
                        });
    }

    void fault() {
        int which = random.nextInt(9);
        world.log.add("requests fail " + which);
        Faults.Rule rule = world.sandbox
                .cluster()
                .faults()
                .rule()
                .verbs("get", "create", "update", "patch", "delete")
                .when(OracleFaultSteps::isOperator)
                .chance(0.1 + 0.9 * random.nextDouble());
        if (random.nextBoolean()) {
            rule.times(1 + random.nextInt(3));
        }
        switch (which) {
            case 0 -> rule.tooManyRequests(Duration.ofSeconds(1 + random.nextInt(10)));
            case 1 -> rule.internalError();
            case 2 -> rule.unavailable();
            case 3 -> rule.conflict();
            case 4 -> rule.forbidden();
            case 5 -> rule.timeout();
            case 6 -> rule.connectionReset();
            case 7 -> rule.tooManyRequests(Duration.ofDays(1));
            default -> rule.loseAnswer();
        }
    }

    private static boolean isOperator(ApiRequest request) {
        return request.userAgent().equals("sro");
    }

    void clearFaults() {
        world.log.add("faults stop");
        world.sandbox.cluster().faults().clear();
    }

    void die() {
        int writes = random.nextInt(8);
        boolean after = random.nextBoolean();
        world.log.add("restart; the process dies at write " + writes + (after ? " after it" : " before it"));
        world.restartDoomed(writes, after);
    }

    void restart() {
        world.log.add("restart");
        world.restart();
    }

    /** A kind of somebody else's goes or comes. */
    void definition() {
        boolean there = random.nextBoolean();
        world.log.add("widgets are " + (there ? "" : "not ") + "served");
        if (there) {
            world.serveWidgets();
        } else {
            world.removeWidgets();
        }
    }

    void plugins() {
        boolean complete = random.nextBoolean();
        world.log.add("plugin jealous is " + (complete ? "there" : "away"));
        world.plugins.complete(complete);
        world.sandbox.operator().ifPresent(ClientOperator::requestAll);
    }

    /** Nothing comes over watches any more, and they stay open. */
    void silence() {
        if (world.relists) {
            world.log.add("watches are silent");
            world.sandbox.cluster().silenceWatches(null);
        }
    }
}
