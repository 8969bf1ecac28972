package dev.sro.core.client.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of each list is known, with clients that tell it and with those before 7.7, which do not. */
class FilledInformerTest {

    private final List<HasMetadata> cluster = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private @Nullable FilledInformer<HasMetadata> informer;

    private static ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .withResourceVersion("1")
                .endMetadata()
                .build();
    }

    private final class Told implements FilledInformer.Listener<HasMetadata> {
        @Override
        public void seen(HasMetadata object) {
            told.add((isFilled() ? "seen " : "first seen ")
                    + object.getMetadata().getName());
        }

        @Override
        public void gone(HasMetadata object) {
            told.add("gone " + object.getMetadata().getName());
        }

        @Override
        public void listed(String resourceVersion) {
            told.add("listed " + resourceVersion);
        }

        @Override
        public void failed(Throwable error) {
            throw new AssertionError(error);
        }
    }

    private boolean isFilled() {
        return Objects.requireNonNull(informer).isFilled();
    }

    /** Lists once when it starts, in the steps of fabric8's informers. */
    private final class Steps implements InvocationHandler {
        private final boolean tells;
        private List<HasMetadata> initial = List.of();
        private @Nullable ItemStore<HasMetadata> store;
        private @Nullable ResourceEventHandler<HasMetadata> handler;

        Steps(boolean tells) {
            this.tells = tells;
        }

        @Override
        @SuppressWarnings("unchecked")
        public @Nullable Object invoke(Object self, Method method, @Nullable Object[] arguments) {
            switch (method.getName()) {
                case "itemStore" -> store = (ItemStore<HasMetadata>) arguments[0];
                case "addEventHandler" -> {
                    ResourceEventHandler<HasMetadata> added =
                            (ResourceEventHandler<HasMetadata>) Objects.requireNonNull(arguments[0]);
                    Objects.requireNonNull(store).values().forEach(added::onAdd);
                    handler = added;
                }
                case "initialState" -> initial = ((Stream<HasMetadata>) Objects.requireNonNull(arguments[0])).toList();
                case "exceptionHandler", "stop" -> {}
                case "lastSyncResourceVersion" -> {
                    return "7";
                }
                case "start" -> {
                    list(Objects.requireNonNull(store), Objects.requireNonNull(handler));
                    return CompletableFuture.completedFuture(null);
                }
                default -> throw new UnsupportedOperationException(method.getName());
            }
            return method.getReturnType() == void.class ? null : self;
        }

        private void list(ItemStore<HasMetadata> remembered, ResourceEventHandler<HasMetadata> to) {
            initial.forEach(object -> remembered.put(remembered.getKey(object), object));
            Set<String> keys = cluster.stream().map(remembered::getKey).collect(Collectors.toSet());
            for (HasMetadata object : cluster) {
                HasMetadata before = remembered.put(remembered.getKey(object), object);
                if (before == null) {
                    to.onAdd(object);
                } else {
                    to.onUpdate(before, object);
                }
            }
            for (HasMetadata object : remembered.values().toList()) {
                if (!keys.contains(remembered.getKey(object))) {
                    remembered.remove(remembered.getKey(object));
                    to.onDelete(object, true);
                }
            }
            if (tells) {
                to.onList("7", cluster.isEmpty());
            }
        }
    }

    @SuppressWarnings("unchecked")
    private void start(boolean tells) {
        FilledInformer<HasMetadata> made = new FilledInformer<>(
                () -> (SharedIndexInformer<HasMetadata>) Proxy.newProxyInstance(
                        getClass().getClassLoader(), new Class<?>[] {SharedIndexInformer.class}, new Steps(tells)),
                object -> new ConfigMap(),
                new Told(),
                Clock.systemUTC(),
                tells);
        informer = made;
        made.start();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void isFilledWhenAllOfTheFirstListWasSeen(boolean tells) {
        cluster.addAll(List.of(map("a"), map("b")));

        start(tells);

        assertThat(told).containsExactly("first seen a", "first seen b", "listed 7");
        assertThat(isFilled()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void isFilledWhenThereIsNothing(boolean tells) {
        start(tells);

        assertThat(told).containsExactly("listed 7");
        assertThat(isFilled()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatWentMeanwhileIsToldBeforeTheEndOfALaterList(boolean tells) {
        cluster.addAll(List.of(map("a"), map("b"), map("c"), map("d")));
        start(tells);
        told.clear();
        cluster.subList(0, 3).clear();

        Objects.requireNonNull(informer).relist();

        assertThat(told.subList(0, 4)).containsExactlyInAnyOrder("seen d", "gone a", "gone b", "gone c");
        assertThat(told.subList(4, told.size())).containsExactly("listed 7");
    }

    @Test
    void theClientThatSroIsBuiltWithTellsTheEndItself() {
        assertThat(EndOfList.isTold()).isTrue();
    }
}
