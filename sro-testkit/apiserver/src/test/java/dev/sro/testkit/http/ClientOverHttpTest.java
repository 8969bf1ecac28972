package dev.sro.testkit.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.server.Gvr;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** fabric8's client on the HTTP front, as it is on a real server: it watches by web sockets. */
class ClientOverHttpTest {
    private static final int CHANGES = 1_000;
    private static final long PATIENCE_SECONDS = 30;
    /** Each namespace gets one. */
    private static final String ROOT_CA = "kube-root-ca.crt";

    private final EmbeddedCluster cluster =
            EmbeddedCluster.builder().realTime().historyWindow(2 * CHANGES).build();
    private KubernetesClient client = cluster.client();

    @BeforeEach
    void serve() throws Exception {
        client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(io.fabric8.kubernetes.client.Config.empty())
                        .withMasterUrl(cluster.serveHttp(0).uri().toString())
                        .withWatchReconnectInterval(1)
                        .build())
                .withHttpClientFactory(new JdkHttpClientFactory())
                .build();
    }

    @AfterEach
    void close() {
        client.close();
        cluster.close();
    }

    /** What a watch saw, in order. */
    private static final class Seen implements Watcher<ConfigMap> {
        private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

        @Override
        public void eventReceived(Action action, ConfigMap map) {
            String name = map.getMetadata().getName();
            if (!ROOT_CA.equals(name)) {
                events.add(action == Action.BOOKMARK ? "BOOKMARK" : action + " " + name);
            }
        }

        @Override
        public void onClose(WatcherException cause) {
            events.add(cause.isHttpGone() ? "gone" : "lost");
        }

        @Override
        public void onClose() {
            events.add("closed");
        }

        String next() throws InterruptedException {
            return String.valueOf(events.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
        }

        List<String> next(int count) throws InterruptedException {
            List<String> next = new ArrayList<>();
            while (next.size() < count) {
                next.add(next());
            }
            return next;
        }
    }

    private NonNamespaceOperation<ConfigMap, ?, io.fabric8.kubernetes.client.dsl.Resource<ConfigMap>> maps() {
        return client.configMaps().inNamespace("default");
    }

    private ConfigMap create(String name) {
        return create(name, "1");
    }

    private ConfigMap create(String name, String value) {
        return maps().resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .addToData("key", value)
                        .build())
                .create();
    }

    /** By web socket, and not by the long GET that the client takes where there is none; closed with the client. */
    private Watch watch(ListOptionsBuilder options, Seen seen) {
        Watch watch = maps().watch(options.build(), seen);
        assertThat(watch.getClass().getSimpleName()).isEqualTo("WatchConnectionManager");
        return watch;
    }

    private static List<String> added(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "ADDED map-" + i).toList();
    }

    @Test
    void seesAThousandChangesInTheirOrder() throws Exception {
        Seen seen = new Seen();
        watch(new ListOptionsBuilder().withResourceVersion("1"), seen);
        IntStream.range(0, CHANGES).forEach(i -> create("map-" + i));
        assertThat(seen.next(CHANGES)).isEqualTo(added(0, CHANGES));
    }

    @Test
    void anObjectMayBeLargerThanAFrameOfTwoLengthBytes() throws Exception {
        Seen seen = new Seen();
        watch(new ListOptionsBuilder(), seen);
        create("large", "x".repeat(300_000));
        create("small");
        assertThat(seen.next(2)).containsExactly("ADDED large", "ADDED small");
    }

    @Test
    void goesOnWhereItWasWhenItsWatchEnds() throws Exception {
        Seen seen = new Seen();
        watch(new ListOptionsBuilder().withResourceVersion("1"), seen);
        for (int round = 0; round < 5; round++) {
            int from = round * 20;
            IntStream.range(from, from + 10).forEach(i -> create("map-" + i));
            cluster.dropWatches(Gvr.CONFIGMAPS);
            IntStream.range(from + 10, from + 20).forEach(i -> create("map-" + i));
        }
        assertThat(seen.next(100)).isEqualTo(added(0, 100));
        assertThat(cluster.recording().counts().get("watch configmaps")).isGreaterThan(1);
    }

    @Test
    void getsBookmarksIfItWantsThem() throws Exception {
        Seen seen = new Seen();
        watch(
                new ListOptionsBuilder()
                        .withResourceVersion("1")
                        .withAllowWatchBookmarks(true)
                        .withTimeoutSeconds(30L),
                seen);
        assertThat(seen.next()).isEqualTo("BOOKMARK");
    }

    @Test
    void hearsThatItsVersionIsGone() throws Exception {
        create("old");
        cluster.server().forgetHistory(Gvr.CONFIGMAPS);
        Seen seen = new Seen();
        watch(new ListOptionsBuilder().withResourceVersion("1"), seen);
        assertThat(seen.next()).isEqualTo("gone");
    }

    @Test
    void theServerForgetsAWatchThatIsClosed() throws Exception {
        Seen seen = new Seen();
        watch(new ListOptionsBuilder(), seen).close();
        assertThat(seen.next()).isEqualTo("closed");
        // The next request of another connection may overtake the close frame; a watch of the same client may not be
        // open for ever.
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (cluster.server().openWatches(Gvr.CONFIGMAPS) > 0 && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(cluster.server().openWatches(Gvr.CONFIGMAPS)).isZero();
    }

    @Test
    void informersFollow() throws Exception {
        BlockingQueue<String> events = new LinkedBlockingQueue<>();
        create("first");
        try (SharedIndexInformer<ConfigMap> informer = client.configMaps()
                .inNamespace("default")
                .inform(new ResourceEventHandler<>() {
                    @Override
                    public void onAdd(ConfigMap map) {
                        String name = map.getMetadata().getName();
                        if (!name.equals(ROOT_CA)) {
                            events.add("added " + name);
                        }
                    }

                    @Override
                    public void onUpdate(ConfigMap old, ConfigMap map) {
                        events.add("updated " + map.getMetadata().getName());
                    }

                    @Override
                    public void onDelete(ConfigMap map, boolean unknown) {
                        events.add("deleted " + map.getMetadata().getName());
                    }
                })) {
            assertThat(events.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo("added first");
            create("second");
            assertThat(events.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo("added second");
            maps().withName("first").delete();
            assertThat(events.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo("deleted first");
            assertThat(informer.getStore().listKeys())
                    .contains("default/second")
                    .doesNotContain("default/first");
        }
    }
}
