package dev.sro.agent.slice;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/** A lock for which threads wait in {@link Turns}, and never in the JVM. Thread-safe as they are. */
final class TurnLock extends ReentrantLock {
    private static final long serialVersionUID = 1L;

    private final transient Turns turns;
    private final String name;

    TurnLock(Turns turns, String name) {
        this.turns = turns;
        this.name = name;
    }

    @Override
    public void lock() {
        if (turns.isOutside()) {
            return;
        }
        if (!isHeldByCurrentThread()) {
            turns.lockPoint(name);
        }
        while (!super.tryLock()) {
            turns.block(this);
        }
    }

    @Override
    public boolean tryLock() {
        if (turns.isOutside()) {
            return true;
        }
        turns.lockPoint(name);
        return super.tryLock();
    }

    @Override
    public void unlock() {
        if (!turns.isOutside()) {
            super.unlock();
        }
    }

    @Override
    public String toString() {
        return name;
    }

    /**
     * Puts such locks in the place of all that an object has, and what it is made of in this package.
     *
     * @return how many fields had any
     */
    static int control(Object owner, Turns turns) {
        int found = 0;
        try {
            for (Field field : owner.getClass().getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) || field.getType().isPrimitive()) {
                    continue;
                }
                field.setAccessible(true);
                Object value = field.get(owner);
                String name = owner.getClass().getSimpleName() + "." + field.getName();
                if (value instanceof Locks<?> locks) {
                    found += control(locks, name, turns);
                } else if (value instanceof ReentrantLock) {
                    field.set(owner, new TurnLock(turns, name));
                    found++;
                } else if (value instanceof Checkpoint || value instanceof GpuHands) {
                    found += control(value, turns);
                }
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
        return found;
    }

    private static int control(Locks<?> locks, String name, Turns turns) throws ReflectiveOperationException {
        Field list = Locks.class.getDeclaredField("locks");
        list.setAccessible(true);
        int count = ((List<?>) list.get(locks)).size();
        list.set(
                locks,
                IntStream.range(0, count)
                        .mapToObj(i -> new TurnLock(turns, name + " " + i))
                        .toList());
        return 1;
    }
}
