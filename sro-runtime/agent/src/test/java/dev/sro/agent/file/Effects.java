package dev.sro.agent.file;

/** Counts what is done to the world, and ends the process before the k-th effect when it is told to. Not thread-safe. */
public final class Effects {
    private long left = Long.MAX_VALUE;
    private long count;

    /** The end of the process; nothing in the agent catches it. */
    public static final class Killed extends Error {
        private static final long serialVersionUID = 1L;

        Killed() {
            super("kill -9", null, false, false);
        }
    }

    /** Ends the process before the effect that comes after {@code effects} more. */
    public void killAfter(long effects) {
        left = effects;
    }

    /** Lets the process live. */
    public void spare() {
        left = Long.MAX_VALUE;
    }

    /** Comes before each effect. */
    public void next() {
        if (last()) {
            throw new Killed();
        }
        left--;
        count++;
    }

    /** Whether the next effect is the one before which the process ends. */
    public boolean last() {
        return left <= 0;
    }

    /** How many there were. */
    public long count() {
        return count;
    }
}
