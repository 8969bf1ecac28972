package dev.sro.testkit.controlplane;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Finds the cluster, once per JVM, and hands it to tests. Keeps nothing itself. */
final class ControlPlaneExtension implements ExecutionCondition, ParameterResolver {

    private static final ExtensionContext.Namespace STORE =
            ExtensionContext.Namespace.create(ControlPlaneExtension.class);
    private static final Set<Class<?>> TYPES = Set.of(RealCluster.class, KubernetesClient.class, Namespace.class);

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        SharedCluster shared = shared(context);
        return decide(
                shared.missing(needs(context)), ClusterFinder.ofThisMachine().isRequired(), shared.description());
    }

    /**
     * Whether a test runs.
     *
     * @param missing why it cannot; empty if it can
     * @throws ControlPlaneException if it cannot and has to
     */
    static ConditionEvaluationResult decide(String missing, boolean required, String description) {
        if (missing.isEmpty()) {
            return ConditionEvaluationResult.enabled(description);
        }
        if (required) {
            throw new ControlPlaneException(ClusterFinder.MODE + " is required, but " + missing);
        }
        return ConditionEvaluationResult.disabled(missing);
    }

    /** Of the test, its class, and the classes around that one. */
    private static Set<Feature> needs(ExtensionContext context) {
        EnumSet<Feature> needs = EnumSet.noneOf(Feature.class);
        for (Optional<ExtensionContext> at = Optional.of(context);
                at.isPresent();
                at = at.flatMap(ExtensionContext::getParent)) {
            AnnotationSupport.findAnnotation(at.get().getElement(), RealControlPlane.class)
                    .ifPresent(annotation -> Collections.addAll(needs, annotation.needs()));
        }
        return needs;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return TYPES.contains(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        RealCluster cluster = context.getStore(STORE)
                .computeIfAbsent(
                        List.of(context.getUniqueId()),
                        id -> new RealCluster(shared(context), context.getDisplayName()),
                        RealCluster.class);
        Class<?> type = parameter.getParameter().getType();
        if (type == KubernetesClient.class) {
            return cluster.client();
        }
        return type == Namespace.class ? cluster.namespaceObject() : cluster;
    }

    private static SharedCluster shared(ExtensionContext context) {
        return context.getRoot()
                .getStore(STORE)
                .computeIfAbsent(
                        SharedCluster.class,
                        type -> SharedCluster.of(ClusterFinder.ofThisMachine()),
                        SharedCluster.class);
    }
}
