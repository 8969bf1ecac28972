package dev.sro.testkit.junit;

import dev.sro.api.AcceleratorPlugin;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives each test an own stepped cluster with a running SRO operator. The test takes what it needs as parameters:
 * {@link dev.sro.testkit.operator.SroSandbox}, {@link dev.sro.testkit.EmbeddedCluster},
 * {@link dev.sro.testkit.sim.Simulation}, {@link io.fabric8.kubernetes.client.KubernetesClient}. All are closed after it.
 *
 * <pre>{@code
 * @SroTest(plugins = MyPlugin.class)
 * class MyPluginTest {
 *     @Test
 *     void getsReady(SroSandbox sandbox) { ... }
 * }
 * }</pre>
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(SroExtension.class)
public @interface SroTest {

    /** The plugins, each with a constructor without parameters. */
    Class<? extends AcceleratorPlugin>[] plugins() default {};

    /** Whether the cluster serves OpenShift's APIs. */
    boolean openShift() default false;
}
