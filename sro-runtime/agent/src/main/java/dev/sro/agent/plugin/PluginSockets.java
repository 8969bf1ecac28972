package dev.sro.agent.plugin;

import dev.sro.agent.kubelet.PluginDevice;
import dev.sro.agent.kubelet.PluginHandler;
import dev.sro.agent.kubelet.PluginSocket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The device plugins as kubelet sees them, one for each profile that was ever offered: opened, registered, told what there is, closed. Confined to one thread
 * at a time, but for {@link #preferred}, which any may call.
 */
final class PluginSockets {
    private final BiFunction<String, PluginHandler, PluginSocket> opener;
    private final UnaryOperator<String> resource;
    private final Function<String, PluginHandler> handlers;
    private final Consumer<String> log;
    private final Consumer<String> logOnce;
    private final Map<String, PluginSocket> sockets = new TreeMap<>();
    private volatile Map<String, Integer> order = Map.of();

    /**
     * @param opener of the device plugin of a resource
     * @param resource the resource of a profile
     * @param handlers who answers for a profile
     * @param logOnce takes what would be said again with each look
     */
    PluginSockets(
            BiFunction<String, PluginHandler, PluginSocket> opener,
            UnaryOperator<String> resource,
            Function<String, PluginHandler> handlers,
            Consumer<String> log,
            Consumer<String> logOnce) {
        this.opener = opener;
        this.resource = resource;
        this.handlers = handlers;
        this.log = log;
        this.logOnce = logOnce;
    }

    boolean isEmpty() {
        return sockets.isEmpty();
    }

    /**
     * Tells kubelet what there is.
     *
     * @param offers devices by profile, the best first
     * @param offered whether the node offers slices by device plugins; otherwise a profile is closed as soon as it has none
     */
    void offer(Map<String, List<PluginDevice>> offers, boolean offered) {
        Map<String, Integer> next = new HashMap<>();
        offers.values().forEach(list -> list.forEach(device -> next.put(device.id(), next.size())));
        order = next;
        offers.forEach((profile, list) -> {
            if (offered || !list.isEmpty()) {
                sockets.computeIfAbsent(profile, key -> opener.apply(resource.apply(key), handlers.apply(key)));
            }
        });
        sockets.entrySet().removeIf(entry -> {
            List<PluginDevice> list = offers.getOrDefault(entry.getKey(), List.of());
            entry.getValue().devices(list);
            return (list.isEmpty() && !offered) ? closed(entry.getValue()) : kept(entry.getValue());
        });
    }

    private boolean closed(PluginSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            logOnce.accept(socket.resource() + ": " + e.getMessage());
        }
        return true;
    }

    private boolean kept(PluginSocket socket) {
        try {
            if (socket.keep()) {
                log.accept("kubelet registered the device plugin of " + socket.resource());
            }
        } catch (IOException e) {
            logOnce.accept(String.valueOf(e.getMessage()));
        }
        return false;
    }

    /** Of what kubelet could give those that it has to and the best others, by the last {@link #offer}. */
    List<String> preferred(List<String> available, List<String> must, int size) {
        List<String> chosen = new ArrayList<>(must);
        Map<String, Integer> best = order;
        available.stream()
                .filter(id -> !must.contains(id))
                .sorted(Comparator.<String>comparingInt(id -> best.getOrDefault(id, Integer.MAX_VALUE))
                        .thenComparing(id -> id))
                .limit(Math.max(0, size - must.size()))
                .forEach(chosen::add);
        return chosen;
    }

    /** Closes all, up to the first that cannot be closed. */
    void close() throws IOException {
        for (PluginSocket socket : sockets.values()) {
            socket.close();
        }
        sockets.clear();
    }
}
