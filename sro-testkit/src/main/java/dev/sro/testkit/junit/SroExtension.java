package dev.sro.testkit.junit;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.core.plugin.Plugins;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.Simulation;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Makes a sandbox for each test that asks for one, and closes it after the test. Keeps nothing itself. */
final class SroExtension implements ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(SroExtension.class);

    private static final Set<Class<?>> TYPES =
            Set.of(SroSandbox.class, EmbeddedCluster.class, Simulation.class, KubernetesClient.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return TYPES.contains(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        SroSandbox sandbox = context.getStore(NAMESPACE)
                .computeIfAbsent(context.getUniqueId(), id -> create(context), SroSandbox.class);
        Class<?> type = parameter.getParameter().getType();
        if (type == EmbeddedCluster.class) {
            return sandbox.cluster();
        }
        if (type == Simulation.class) {
            return sandbox.simulation();
        }
        return type == KubernetesClient.class ? sandbox.client() : sandbox;
    }

    private static SroSandbox create(ExtensionContext context) {
        SroTest test = AnnotationSupport.findAnnotation(context.getElement(), SroTest.class)
                .or(() -> AnnotationSupport.findAnnotation(context.getTestClass(), SroTest.class))
                .orElseThrow(() -> new ParameterResolutionException("@SroTest is missing on the test or its class"));
        List<AcceleratorPlugin> plugins = new ArrayList<>();
        for (Class<? extends AcceleratorPlugin> type : test.plugins()) {
            try {
                plugins.add(type.getDeclaredConstructor().newInstance());
            } catch (ReflectiveOperationException e) {
                throw new ParameterResolutionException(
                        "@SroTest.plugins: " + type.getName() + " needs a public constructor without parameters", e);
            }
        }
        return SroSandbox.create(test.openShift(), Plugins.of(plugins.toArray(AcceleratorPlugin[]::new)));
    }
}
