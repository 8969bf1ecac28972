package dev.sro.testkit.upgrade;

import java.time.Duration;
import java.util.Random;

/**
 * A random policy, and what follows from it for the others where one node is bad.
 *
 * @param parallel most nodes in progress; 0 is no limit
 * @param unavailable most nodes out of work
 * @param percent whether that is a share of the nodes
 * @param canaries how many nodes are in a first wave; 0 is no waves
 * @param waveHalts whether one failure in the wave halts the roll-out
 * @param soak how long the wave is looked at
 * @param halt so many failures halt the roll-out; 0 is never
 * @param retries attempts after a failure
 * @param drain whether all pods go where users of the device did not
 * @param restart how long a driver may take
 */
record BadNodePolicy(
        int parallel,
        int unavailable,
        boolean percent,
        int canaries,
        boolean waveHalts,
        Duration soak,
        int halt,
        int retries,
        boolean drain,
        Duration restart) {

    private static final Duration PODS = Duration.ofMinutes(2);
    private static final Duration VALIDATION = Duration.ofMinutes(5);
    private static final Duration REBOOT = Duration.ofMinutes(6);
    private static final Duration ATTEMPT = Duration.ofMinutes(40);

    /** Of a good node in the time of the cluster: jobs there are none of, a boot, a driver, a validation, and a second of everything. */
    private static final Duration GOOD_NODE = Duration.ofMinutes(4);

    /** What failed for other reasons is tried again after at most a minute, and whole histories wait for it some times. */
    private static final Duration SLACK = Duration.ofMinutes(15);

    static BadNodePolicy draw(Random random, int nodes) {
        boolean percent = random.nextBoolean();
        boolean waves = random.nextInt(4) == 0;
        return new BadNodePolicy(
                random.nextInt(4),
                percent ? 1 + random.nextInt(100) : 1 + random.nextInt(nodes),
                percent,
                waves ? 1 + random.nextInt(3) : 0,
                random.nextInt(3) == 0,
                Duration.ofMinutes(random.nextInt(2) * 5L),
                random.nextInt(4) == 0 ? 1 + random.nextInt(2) : 0,
                random.nextInt(3),
                random.nextInt(3) == 0,
                Duration.ofMinutes(5 + random.nextInt(5)));
    }

    String yaml(String resume) {
        StringBuilder yaml = new StringBuilder(
                "{autoUpgrade: true, maxParallelUpgrades: %d, maxUnavailable: %s, retries: %d, podDeletion: {timeoutSeconds: %d}"
                        .formatted(
                                parallel,
                                percent ? '"' + Integer.toString(unavailable) + "%\"" : Integer.toString(unavailable),
                                retries,
                                PODS.toSeconds()));
        yaml.append(", deadlines: {restartSeconds: %d, validationSeconds: %d, rebootSeconds: %d, attemptSeconds: %d}"
                .formatted(restart.toSeconds(), VALIDATION.toSeconds(), REBOOT.toSeconds(), ATTEMPT.toSeconds()));
        yaml.append(", waitForCompletion: {podSelector: \"app=job\"}");
        if (drain) {
            yaml.append(", drain: {enable: true, timeoutSeconds: %d}".formatted(PODS.toSeconds()));
        }
        if (canaries > 0) {
            yaml.append(", waves: [{name: canary, nodeSelector: {canary: \"true\"}, soakSeconds: %d%s}]"
                    .formatted(soak.toSeconds(), waveHalts ? ", haltOnFailures: 1" : ""));
        }
        if (halt > 0) {
            yaml.append(", haltOnFailures: ").append(halt);
        }
        if (!resume.isEmpty()) {
            yaml.append(", resume: ").append(resume);
        }
        return yaml.append("}").toString();
    }

    /** The most nodes out of work, of so many; a percentage is rounded up. */
    int budget(int nodes) {
        return percent ? (nodes * unavailable + 99) / 100 : unavailable;
    }

    /**
     * Whether the bad node has no right to delay any other for ever: it is out of work, so one more may be; it keeps its slot only while
     * it waits; it is one failure; and a wave that it is in has another node that shows how the driver does.
     *
     * @param inWave whether the bad node is a canary
     * @param otherCanaries how many others are
     */
    boolean othersGoOn(BadNode.End end, int nodes, boolean inWave, int otherCanaries) {
        boolean room = budget(nodes) >= 2;
        boolean slot = end != BadNode.End.WAITS || parallel != 1;
        boolean halts = end == BadNode.End.FAILS && (halt == 1 || (inWave && waveHalts));
        boolean wave = canaries == 0 || !inWave || (end != BadNode.End.WAITS && otherCanaries > 0);
        return room && slot && !halts && wave;
    }

    /** How long all the others may take, with all attempts of the bad node in front of them. */
    Duration limit(int nodes) {
        Duration attempt = PODS.multipliedBy(2)
                .plus(REBOOT)
                .plus(restart)
                .plus(VALIDATION)
                .plus(Duration.ofMinutes(1L << retries));
        int width = Math.max(1, Math.min(parallel == 0 ? nodes : parallel, budget(nodes) - 1));
        return GOOD_NODE
                .multipliedBy((nodes + width - 1) / width)
                .plus(attempt.multipliedBy(1L + retries))
                .plus(soak)
                .plus(SLACK);
    }
}
