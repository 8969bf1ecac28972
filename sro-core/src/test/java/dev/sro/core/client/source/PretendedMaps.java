package dev.sro.core.client.source;

import dev.sro.core.recipe.source.StateFiles;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Recipes in ConfigMaps, found and read as in production, of a cluster that has these objects and answers at once. */
public final class PretendedMaps {

    private PretendedMaps() {}

    /** What finds them. */
    public static StateFiles of(Clock clock, List<ConfigMap> maps, List<Secret> secrets) {
        KubernetesClient client = proxy(
                KubernetesClient.class,
                (self, method, arguments) -> proxy(
                        MixedOperation.class,
                        new Operation(method.getName().equals("secrets") ? secrets : maps, object -> true)));
        return new StateMaps(client, clock, (delay, task) -> () -> {}, () -> {});
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** Objects of a kind that are picked one condition after the other. */
    private record Operation(List<? extends HasMetadata> all, Predicate<HasMetadata> picked)
            implements InvocationHandler {

        @Override
        public Object invoke(Object self, Method method, @Nullable Object[] arguments) {
            String first = String.valueOf(arguments[0]);
            return switch (method.getName()) {
                case "inNamespace" ->
                    proxy(
                            NonNamespaceOperation.class,
                            and(object -> first.equals(object.getMetadata().getNamespace())));
                case "withField" ->
                    proxy(
                            FilterWatchListDeletable.class,
                            and(object -> Objects.equals(
                                    arguments[1], object.getMetadata().getName())));
                case "withLabel" ->
                    proxy(
                            FilterWatchListDeletable.class,
                            and(object -> Objects.requireNonNullElse(
                                            object.getMetadata().getLabels(), Map.<String, String>of())
                                    .getOrDefault(first, "")
                                    .equals(arguments[1])));
                case "runnableInformer" -> proxy(SharedIndexInformer.class, new Informer(this));
                default -> throw new UnsupportedOperationException(method.getName());
            };
        }

        private Operation and(Predicate<HasMetadata> more) {
            return new Operation(all, picked.and(more));
        }

        List<HasMetadata> there() {
            return all.stream().filter(picked).map(HasMetadata.class::cast).toList();
        }
    }

    /** Lists once. */
    private static final class Informer implements InvocationHandler {
        private final Operation operation;
        private final List<ResourceEventHandler<HasMetadata>> handlers = new ArrayList<>();

        Informer(Operation operation) {
            this.operation = operation;
        }

        @Override
        @SuppressWarnings("unchecked")
        public @Nullable Object invoke(Object self, Method method, @Nullable Object[] arguments) {
            return switch (method.getName()) {
                case "addEventHandler" -> {
                    handlers.add((ResourceEventHandler<HasMetadata>) Objects.requireNonNull(arguments[0]));
                    yield self;
                }
                case "itemStore", "exceptionHandler" -> self;
                case "isWatching" -> true;
                case "lastSyncResourceVersion" -> "1";
                case "start" -> {
                    handlers.forEach(handler -> {
                        operation.there().forEach(handler::onAdd);
                        handler.onList("1", false);
                    });
                    yield CompletableFuture.completedFuture(null);
                }
                case "stop", "close" -> null;
                default -> throw new UnsupportedOperationException(method.getName());
            };
        }
    }
}
