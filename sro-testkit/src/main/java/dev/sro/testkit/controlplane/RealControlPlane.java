package dev.sro.testkit.controlplane;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs tests on a real Kubernetes API server. All tests of a JVM share one cluster; each gets a namespace of its own, which goes with
 * it. Tests take what they need as parameters: {@link RealCluster}, {@link io.fabric8.kubernetes.client.KubernetesClient} (of an
 * administrator; its default namespace is the test's), {@link io.fabric8.kubernetes.api.model.Namespace}.
 * What a constructor or {@code @BeforeAll} takes belongs to the class and lives as long.
 *
 * <p>The cluster is, in this order, the one of the kubeconfig {@code SRO_TEST_KUBECONFIG}; a control plane of the binaries in
 * {@code SRO_CONTROL_PLANE_DIR}; one of those that {@code .ci/control-plane/build.sh} built; one that kube-api-test downloads, if
 * {@code SRO_CONTROL_PLANE_DOWNLOAD} is {@code true}. Where there is none, or it lacks what a test needs, the test is skipped with the
 * reason, or fails if {@code SRO_CONTROL_PLANE} is {@code required}.
 *
 * <pre>{@code
 * @RealControlPlane(needs = Feature.CONTROLLERS)
 * class MyTest {
 *     @Test
 *     void collectsGarbage(RealCluster cluster) { ... }
 * }
 * }</pre>
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag("cluster")
@ExtendWith(ControlPlaneExtension.class)
public @interface RealControlPlane {

    /** What the tests need beyond an API server. What class and method name is needed together. */
    Feature[] needs() default {};
}
