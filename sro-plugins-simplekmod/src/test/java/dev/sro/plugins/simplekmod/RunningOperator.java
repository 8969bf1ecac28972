package dev.sro.plugins.simplekmod;

import dev.sro.core.embed.SpecialResourceOperator;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The operator as an embedder with plain fabric8 runs it, with a list of what it writes. */
final class RunningOperator implements AutoCloseable {
    private final List<String> writes = new CopyOnWriteArrayList<>();
    private final KubernetesClient client;
    private final SpecialResourceOperator operator;

    RunningOperator(Config config) {
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
        operator = SpecialResourceOperator.builder()
                .client(client)
                .plugins(new SimpleKmodPlugin())
                .workers(2)
                .start();
    }

    /** Method and path of each write so far, but not those of events. */
    List<String> writes() {
        return writes.stream().filter(write -> !write.contains("/events")).toList();
    }

    @Override
    public void close() {
        operator.close();
        client.close();
    }
}
