package dev.sro.runtime.operator.rollout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Keeps replicas running, as a Deployment does: whatever ends is started again. */
final class Deployment implements AutoCloseable {
    private final Site site;
    private final Path plugins;
    private final Path logs;
    private final List<Replica> replicas = new ArrayList<>();
    private final List<Path> written = new ArrayList<>();
    private final Thread keeper;
    private volatile boolean closing;

    /**
     * Starts it.
     *
     * @param count replicas
     * @param logs where each process leaves what it prints
     */
    Deployment(Site site, Path plugins, Path logs, int count) throws IOException {
        this.site = site;
        this.plugins = plugins;
        this.logs = Files.createDirectories(logs);
        for (int i = 0; i < count; i++) {
            replicas.add(another());
        }
        keeper = new Thread(this::keep, "deployment");
        keeper.start();
    }

    private synchronized Replica another() throws IOException {
        Path log = logs.resolve("replica-" + written.size() + ".log");
        written.add(log);
        return Replica.start(site.kubeconfig(), plugins, log);
    }

    private void keep() {
        try {
            while (!closing) {
                synchronized (this) {
                    for (int i = 0; i < replicas.size() && !closing; i++) {
                        if (!replicas.get(i).isAlive()) {
                            replicas.set(i, another());
                        }
                    }
                }
                Thread.sleep(100);
            }
        } catch (InterruptedException e) {
            // Closed.
            return;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Processes that were started so far. */
    synchronized int started() {
        return written.size();
    }

    /** The one that leads, if one does now. */
    Optional<Replica> leader() throws InterruptedException {
        List<Replica> now;
        synchronized (this) {
            now = List.copyOf(replicas);
        }
        for (Replica replica : now) {
            if (replica.isAlive() && replica.isLeader()) {
                return Optional.of(replica);
            }
        }
        return Optional.empty();
    }

    /** What all processes printed. */
    synchronized String logs() throws IOException {
        StringBuilder all = new StringBuilder();
        for (Path log : written) {
            all.append("== ").append(log.getFileName()).append('\n').append(Files.readString(log));
        }
        return all.toString();
    }

    /** Stops them as a kubelet does. */
    @Override
    public void close() {
        closing = true;
        try {
            keeper.join();
            for (Replica replica : replicas) {
                if (replica.isAlive()) {
                    replica.stop();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
