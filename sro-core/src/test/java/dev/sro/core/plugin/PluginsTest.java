package dev.sro.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.RecipeContext;
import dev.sro.api.StateGraph;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plugins without a directory, and the words for a name that nobody has. */
class PluginsTest {

    @TempDir
    Path root;

    private record Named(String name) implements AcceleratorPlugin {
        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of(name, "1", "Acme");
        }

        @Override
        public StateGraph states(RecipeContext context) {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void takesPluginsAsObjects() {
        AcceleratorPlugin two = new Named("two");
        Plugins plugins = Plugins.of(two, new Named("one"));

        assertThat(plugins.names()).containsExactly("one", "two");
        LoadedPlugin loaded = plugins.find("two").orElseThrow();
        assertThat(loaded.plugin()).isSameAs(two);
        assertThat(loaded.file()).isEmpty();
        assertThat(loaded.classLoader()).isSameAs(Named.class.getClassLoader());
        assertThat(plugins.find("three")).isEmpty();
    }

    @Test
    void refusesTwoObjectsWithOneName() {
        assertThatThrownBy(() -> Plugins.of(new Named("one"), new Named("one")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"one\"");
    }

    @Test
    void findsPluginsOnAClassPathAndSkipsTheBroken() throws IOException {
        Path first = PluginBuilder.empty("first")
                .plugin("acme.One", "one", "")
                .plugin("acme.Thrower", "thrower", "public Thrower() { throw new RuntimeException(\"boom\"); }")
                .service("acme.Absent", "acme.Thrower", "acme.One")
                .jar(root);
        Path second = PluginBuilder.empty("second")
                .plugin("other.One", "one", "")
                .plugin("other.Two", "two", "")
                .service("other.One", "other.Two")
                .jar(root);
        URL[] urls = {first.toUri().toURL(), second.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(urls, getClass().getClassLoader())) {
            Plugins plugins = Plugins.fromServiceLoader(loader);

            assertThat(plugins.names()).containsExactly("one", "two");
            assertThat(plugins.find("one").orElseThrow().plugin().getClass().getName())
                    .isEqualTo("acme.One");
            assertThat(plugins.rejections())
                    .extracting(PluginRejection::code)
                    .containsExactlyInAnyOrder(
                            PluginRejectionCodes.PROVIDER_INVALID,
                            PluginRejectionCodes.FAILED,
                            PluginRejectionCodes.DUPLICATE_NAME);
            assertThat(plugins.rejections().toString()).contains("acme.Absent", "boom", "other.One");
        }
    }

    @Test
    void describesAnUnknownNameByTheKnownOnesAndTheRelatedRejections() {
        PluginRejection related = new PluginRejection("sro-plugins-simplekmod-0.1.0.jar", "PluginFailed", "It broke.");
        PluginRejection other = new PluginRejection("other.jar", "PluginFailed", "It broke, too.");
        Plugins plugins = new PluginSet(
                List.of(new LoadedPlugin(
                        PluginDescriptor.of("nvidia", "1", "NVIDIA"), new Named("nvidia"), java.util.Optional.empty())),
                List.of(),
                List.of(related, other));

        assertThat(plugins.rejectionsFor("simple-kmod")).containsExactly(related);
        assertThat(plugins.describeUnknown("simple-kmod"))
                .isEqualTo("No plugin is named \"simple-kmod\"; known names: nvidia. Rejected: It broke."
                        + " 1 other file was rejected.");
        assertThat(plugins.describeUnknown("x"))
                .isEqualTo("No plugin is named \"x\"; known names: nvidia. 2 files were rejected.");
        assertThat(plugins.describeUnknown("nvidea"))
                .isEqualTo("No plugin is named \"nvidea\"; did you mean nvidia? Known names: nvidia."
                        + " 2 files were rejected.");
        assertThat(Plugins.of().describeUnknown("x")).isEqualTo("No plugin is named \"x\"; no plugin is loaded.");
    }
}
