package dev.sro.testkit.charts;

import dev.sro.core.apply.ClusterWriter;
import dev.sro.core.apply.WriteException;
import dev.sro.testkit.server.Recording;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A chart with hooks on a cluster. */
abstract class HookWorld {
    static final Duration LIMIT = Duration.ofMinutes(30);

    @TempDir
    Path folder;

    HookSandbox on;

    @BeforeEach
    void start() throws IOException {
        on = new HookSandbox(folder);
    }

    @AfterEach
    void close() {
        on.close();
    }

    /** Names of what the operator wrote, in order: a plus for an apply, a minus for a deletion; each once in a row. */
    List<String> writes(Set<String> names) {
        List<String> all = new ArrayList<>();
        for (Recording.Entry entry :
                on.sandbox.cluster().recording().entries(e -> e.userAgent().equals("sro"))) {
            if (entry.isWrite() && names.contains(entry.name())) {
                String line = (entry.verb().equals("delete") ? "-" : "+")
                        + entry.resource().replaceAll("[./].*", "") + " " + entry.name();
                if (all.isEmpty() || !all.get(all.size() - 1).equals(line)) {
                    all.add(line);
                }
            }
        }
        return all;
    }

    static final Set<String> ALL = Set.of(
            "settings",
            "prepare",
            "prepare-a",
            "prepare-b",
            "announce",
            "plugin",
            "drain",
            "farewell",
            "undo",
            "check");

    static ClusterWriter dyingAfter(AtomicInteger left, ClusterWriter writer) {
        return (ClusterWriter) Proxy.newProxyInstance(
                HookScenarioTest.class.getClassLoader(),
                new Class<?>[] {ClusterWriter.class},
                (proxy, method, args) -> {
                    if (left.getAndDecrement() <= 0) {
                        throw new WriteException(WriteException.Kind.UNAVAILABLE, "dead");
                    }
                    try {
                        return method.invoke(writer, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
