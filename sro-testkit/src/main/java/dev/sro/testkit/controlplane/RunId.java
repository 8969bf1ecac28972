package dev.sro.testkit.controlplane;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which JVM made an object in a cluster, as the value of a label. A JVM of the same machine can tell whether that one still lives.
 *
 * @param host a hash of the machine's name
 * @param pid process id
 * @param start when the process started, in seconds since 1970
 */
record RunId(String host, long pid, long start) {
    /** On namespaces and nodes that tests made. */
    static final String LABEL = "testkit.sro.dev/run";

    private static final Pattern FORM = Pattern.compile("([0-9a-f]+)-(\\d+)-(\\d+)");

    /** A process start is derived from the boot time, which moves when the clock is set; in seconds. */
    private static final long CLOCK_DRIFT = 5;

    static RunId ofThisProcess() {
        ProcessHandle self = ProcessHandle.current();
        return new RunId(hostHash(), self.pid(), startOf(self));
    }

    private static String hostHash() {
        try {
            return Integer.toHexString(InetAddress.getLocalHost().getHostName().hashCode());
        } catch (UnknownHostException e) {
            return "0";
        }
    }

    private static long startOf(ProcessHandle process) {
        return process.info().startInstant().map(Instant::getEpochSecond).orElse(0L);
    }

    /** The label's value. */
    String label() {
        return host + "-" + pid + "-" + start;
    }

    /** Whether what has this label was left behind: its JVM was one of this machine and is no more. */
    boolean isLeftover(String label) {
        Matcher form = FORM.matcher(label);
        if (!form.matches() || !form.group(1).equals(host)) {
            return false;
        }
        long started = Long.parseLong(form.group(3));
        return ProcessHandle.of(Long.parseLong(form.group(2)))
                .filter(ProcessHandle::isAlive)
                .filter(process -> Math.abs(startOf(process) - started) < CLOCK_DRIFT)
                .isEmpty();
    }
}
