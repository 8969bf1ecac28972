package dev.sro.testkit.node;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests on real nodes. A test that takes a {@link NodeCluster} as a parameter gets one of its own, without nodes; it goes with the test
 * and all its machines.
 *
 * <p>What the machines are made of is in the directory that {@code SRO_REAL_NODE_DIR} names, or where {@code .ci/real-node/build.sh} put
 * it; the control plane is found as for {@link dev.sro.testkit.controlplane.RealControlPlane}, but only as programs. Where one of the
 * two is missing, the test is skipped with the reason, or fails if {@code SRO_REAL_NODE} is {@code required}.
 *
 * <pre>{@code
 * @RealNode
 * class MyDriverTest {
 *     @Test
 *     void loads(NodeCluster cluster) {
 *         Machine node = cluster.add(cluster.kernels().get(0));
 *         assertThat(node.modules()).doesNotContain("my_driver");
 *     }
 * }
 * }</pre>
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag("node")
@ExtendWith(RealNodeExtension.class)
public @interface RealNode {}
