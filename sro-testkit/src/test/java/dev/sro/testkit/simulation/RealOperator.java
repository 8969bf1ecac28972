package dev.sro.testkit.simulation;

import dev.sro.core.client.ClientOperator;
import dev.sro.core.engine.port.Timers;
import dev.sro.core.plugin.Plugins;
import dev.sro.testkit.charts.PathRenderer;
import dev.sro.testkit.operator.JealousPlugin;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** An operator on a real API server, in real time, with a list of what it writes. */
final class RealOperator implements AutoCloseable {
    private final List<String> writes = new CopyOnWriteArrayList<>();
    private final ExecutorService workers = Executors.newFixedThreadPool(3);
    private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor();
    private final KubernetesClient client;
    private final ClientOperator operator;

    RealOperator(Config config, OracleCharts.Shelf shelf) {
        client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(config).withUserAgent("sro").build())
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("writes", new Interceptor() {
                    @Override
                    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
                        if (!request.method().equals("GET")) {
                            writes.add(request.method() + " " + request.uri().getPath());
                        }
                    }
                }))
                .build();
        operator = ClientOperator.builder()
                .client(client)
                .plugins(Plugins.of(new JealousPlugin("jealous")))
                .charts(Map.of("file", new OracleCharts(shelf)), workers, new PathRenderer())
                .workers(workers)
                .timers(Timers.of(timers))
                .start();
    }

    /** Method and path of each write so far, but not those of events. */
    List<String> writes() {
        return writes.stream().filter(write -> !write.contains("/events")).toList();
    }

    @Override
    public void close() {
        operator.close();
        timers.shutdownNow();
        workers.shutdownNow();
        client.close();
    }
}
