package dev.sro.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PluginPackageTest {

    @Test
    void showsNoTypeOfPf4j() throws IOException, ClassNotFoundException {
        List<String> published = new ArrayList<>();
        Path classes = Compiler.codeSource(PluginHost.class).resolve("dev/sro/core/plugin");
        try (DirectoryStream<Path> files = Files.newDirectoryStream(classes, "*.class")) {
            for (Path file : files) {
                String name = file.getFileName().toString().replace(".class", "");
                Class<?> type = Class.forName("dev.sro.core.plugin." + name);
                if (Modifier.isPublic(type.getModifiers())) {
                    published.add(type.getSimpleName());
                    assertThat(signatures(type)).as(name).doesNotContain("org.pf4j");
                }
            }
        }
        assertThat(published).contains("PluginHost", "Plugins", "LoadedPlugin");
    }

    /** Everything that a user of the type can see, as text. */
    private static String signatures(Class<?> type) {
        return Stream.of(
                        Stream.of(type.toGenericString(), String.valueOf(type.getGenericSuperclass())),
                        Stream.of(type.getGenericInterfaces()).map(Object::toString),
                        Stream.of(type.getMethods()).map(Method::toGenericString),
                        Stream.of(type.getConstructors()).map(Object::toString),
                        Stream.of(type.getFields()).map(Object::toString))
                .flatMap(Function.identity())
                .collect(Collectors.joining("\n"));
    }

    @Test
    void explainsEveryCodeInTheReference() throws IOException, IllegalAccessException {
        String page = Files.readString(Path.of("..", "docs", "reference", "plugin-loading.md"));
        for (Field field : PluginRejectionCodes.class.getFields()) {
            assertThat(Modifier.isStatic(field.getModifiers())).isTrue();
            assertThat(page).contains("`" + field.get(null) + "`");
        }
        assertThat(Arrays.stream(PluginRejectionCodes.class.getFields())).hasSizeGreaterThan(10);
    }
}
