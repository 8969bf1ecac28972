package dev.sro.core.recipe.chart;

import com.marcnuri.helm.DryRun;
import com.marcnuri.helm.Helm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The process in which Helm runs. It is one of its own because Helm's native library takes over the signals of its process, so
 * that it no longer ends on SIGTERM, cannot be stopped once it runs, and has no limit on memory.
 *
 * <p>Reads requests from standard input, one a line, and writes answers to standard output; see {@link HelmProcess}. Ends when
 * its input ends, after an idle time, when a request takes too long, and when it needs too much memory. Uses nothing
 * of SRO and no other library than helm-java.
 */
final class HelmWorker {

    /** What every answer begins with; nothing else that is printed matters. */
    static final String MARK = "sro-helm-answer";

    static final int IDLE = 0;
    static final int TOO_LONG = 71;
    static final int TOO_LARGE = 72;

    private static final int TICK_MILLIS = 50;
    private static final String RESIDENT = "VmRSS:";
    private static final long KIB = 1L << 10;
    private static final long MIB = 1L << 20;

    /** As many as a recipe of numbered manifests may have, twice over. */
    static final int MAX_CHARACTERS = 32 << 20;

    private final long deadlineNanos;
    private final long idleSeconds;
    private final long memoryBytes;
    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
    private final AtomicLong startedNanos = new AtomicLong(Long.MIN_VALUE);
    private final LinkedBlockingQueue<String> requests = new LinkedBlockingQueue<>();

    private HelmWorker(String[] arguments) {
        deadlineNanos = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[0]));
        idleSeconds = Long.parseLong(arguments[1]);
        memoryBytes = Long.parseLong(arguments[2]) * MIB;
    }

    /**
     * @param arguments milliseconds that a request may take; seconds without a request after which it ends; MiB that it may
     *     need
     */
    public static void main(String[] arguments) throws InterruptedException {
        preferToBeKilled();
        HelmWorker worker = new HelmWorker(arguments);
        start("requests", worker::read);
        start("watch", worker::watch);
        worker.work();
    }

    private static void start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** When a container runs out of memory, Linux ends a process of its choice: this one, not the operator. */
    private static void preferToBeKilled() {
        try {
            Files.writeString(Path.of("/proc/self/oom_score_adj"), "1000");
        } catch (IOException | RuntimeException e) {
            // Not Linux, or not allowed: the watch below still applies.
        }
    }

    private void read() {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                requests.add(line);
            }
        } catch (IOException e) {
            // As at the end: nobody asks any more.
        }
        Runtime.getRuntime().halt(IDLE);
    }

    private void watch() {
        while (true) {
            long started = startedNanos.get();
            if (started != Long.MIN_VALUE && System.nanoTime() - started > deadlineNanos) {
                Runtime.getRuntime().halt(TOO_LONG);
            }
            if (resident() > memoryBytes) {
                Runtime.getRuntime().halt(TOO_LARGE);
            }
            try {
                Thread.sleep(TICK_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private static long resident() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
                if (line.startsWith(RESIDENT)) {
                    // In kB, whatever the size of a page.
                    return Long.parseLong(line.replaceAll("[^0-9]", "")) * KIB;
                }
            }
        } catch (IOException | RuntimeException e) {
            // Not Linux.
            return 0;
        }
        return 0;
    }

    private void work() throws InterruptedException {
        while (true) {
            String line = requests.poll(idleSeconds, TimeUnit.SECONDS);
            if (line == null) {
                Runtime.getRuntime().halt(IDLE);
                return;
            }
            // The last one may be empty.
            String[] fields = line.split(" ", -1);
            startedNanos.set(System.nanoTime());
            String answer;
            try {
                answer = "text " + encode(render(fields));
            } catch (RuntimeException | LinkageError e) {
                answer = "error " + encode(e.getMessage() == null ? e.toString() : e.getMessage());
            }
            startedNanos.set(Long.MIN_VALUE);
            // The library may have written something without an end of line.
            out.println("\n" + MARK + " " + fields[0] + " " + answer);
        }
    }

    private static String render(String[] fields) {
        String output = Helm.install(decode(fields[1]))
                .withValuesFile(Path.of(decode(fields[2])))
                .withName(decode(fields[3]))
                .withNamespace(decode(fields[4]))
                .withKubeVersion(decode(fields[5]))
                .clientOnly()
                .dryRun()
                .withDryRunOption(DryRun.CLIENT)
                .call()
                .getOutput();
        String notes = "\nNOTES:\n";
        if (output.length() > MAX_CHARACTERS) {
            throw new IllegalStateException("what it renders has " + output.length() + " characters, and "
                    + MAX_CHARACTERS + " are allowed; make fewer objects of its templates");
        }
        int at = output.indexOf(notes);
        return at < 0 ? "" : output.substring(at + notes.length()).strip();
    }

    static String encode(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    static String decode(String text) {
        return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
    }
}
