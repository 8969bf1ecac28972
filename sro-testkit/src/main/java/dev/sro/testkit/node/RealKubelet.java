package dev.sro.testkit.node;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests with a kubelet and a containerd on this very machine, in namespaces of their own: images are pulled and their pods really run,
 * within seconds; there is no other kernel and nothing is rebooted, for which {@link RealNode} is. A test that takes a
 * {@link KubeletCluster} as a parameter gets one of its own, which goes with the test and all its pods.
 *
 * <p>The programs are in the directory that {@code SRO_KUBELET_DIR} names, as {@code .ci/real-node/here.sh} prints it; the control plane
 * is found as for {@link dev.sro.testkit.controlplane.RealControlPlane}, but only as programs. It takes Linux, root, runc and iproute2.
 * Where something is missing, the test is skipped with the reason, or fails if {@code SRO_KUBELET} is {@code required}.
 *
 * <pre>{@code
 * @RealKubelet
 * class MyImageTest {
 *     @Test
 *     void starts(KubeletCluster cluster) {
 *         cluster.images().add(Path.of("target/image.tar"), "my/driver:1");
 *         KubeletNode node = cluster.add();
 *         // pods of docker.io/my/driver:1 run there
 *     }
 * }
 * }</pre>
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag("kubelet")
@ExtendWith(RealKubeletExtension.class)
public @interface RealKubelet {}
