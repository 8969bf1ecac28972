package dev.sro.testkit.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Uids, name suffixes and addresses, in a sequence that a seed fixes. Guarded by the store's lock. */
final class Ids {
    private static final String SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";
    private static final int SUFFIX_LENGTH = 5;
    private static final int MAX_BASE = 63 - SUFFIX_LENGTH;

    /** What a write drew, so that it draws the same when it is tried once more. */
    static final class Tape {
        private final Map<String, List<String>> drawn = new HashMap<>();
        private final Map<String, Integer> position = new HashMap<>();

        private String next(String kind, Supplier<String> fresh) {
            List<String> all = drawn.computeIfAbsent(kind, k -> new ArrayList<>());
            int at = position.merge(kind, 1, Integer::sum) - 1;
            if (at == all.size()) {
                all.add(fresh.get());
            }
            return all.get(at);
        }
    }

    private final SplittableRandom random;
    private @Nullable Tape tape;
    private int address;
    private int nodePort = 30000;

    Ids(long seed) {
        random = new SplittableRandom(seed);
    }

    /** Does some work whose draws come from a tape, from its beginning, and are added to it where it ends. */
    <T> T replaying(Tape tape, Supplier<T> work) {
        Tape outer = this.tape;
        this.tape = tape;
        tape.position.clear();
        try {
            return work.get();
        } finally {
            this.tape = outer;
        }
    }

    private String draw(String kind, Supplier<String> fresh) {
        Tape current = tape;
        return current == null ? fresh.get() : current.next(kind, fresh);
    }

    String uid() {
        return draw("uid", this::freshUid);
    }

    /** A uid that nobody draws again. */
    String freshUid() {
        long high = (random.nextLong() & ~0xF000L) | 0x4000L;
        long low = (random.nextLong() & 0x3FFFFFFFFFFFFFFFL) | 0x8000000000000000L;
        return new UUID(high, low).toString();
    }

    String suffix() {
        return draw("suffix", this::freshSuffix);
    }

    private String freshSuffix() {
        StringBuilder text = new StringBuilder(SUFFIX_LENGTH);
        for (int i = 0; i < SUFFIX_LENGTH; i++) {
            text.append(SUFFIX_LETTERS.charAt(random.nextInt(SUFFIX_LETTERS.length())));
        }
        return text.toString();
    }

    /** A name for generateName: the base cut so that names fit a label, and five characters. */
    String name(String base) {
        return (base.length() > MAX_BASE ? base.substring(0, MAX_BASE) : base) + suffix();
    }

    /** The next cluster IP of the service network 10.96.0.0/16. */
    String clusterIp() {
        return draw("address", () -> {
            address++;
            return "10.96." + (1 + address / 250) + "." + (1 + address % 250);
        });
    }

    int nodePort() {
        return Integer.parseInt(draw("port", () -> Integer.toString(nodePort++)));
    }
}
