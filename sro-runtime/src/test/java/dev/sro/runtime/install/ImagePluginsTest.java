package dev.sro.runtime.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.runtime.Cli;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * A plugin that the operator would reject ends the build of the image with its reason: the build's own command is run here on a folder
 * with such a file, and its steps are held to pass result and reason on to the one that fails, whose message Maven prints with {@code -q},
 * too.
 */
class ImagePluginsTest {

    @TempDir
    private Path folder;

    /** The step that loads the plugins of the image. */
    private static Element loading() throws Exception {
        NodeList tasks = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(Path.of("pom.xml").toFile())
                .getElementsByTagName("java");
        List<Element> found = new ArrayList<>();
        for (int i = 0; i < tasks.getLength(); i++) {
            if (tasks.item(i) instanceof Element task && task.hasAttribute("resultproperty")) {
                found.add(task);
            }
        }
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    private static Element beside(Element task, String name) {
        return (Element)
                ((Element) task.getParentNode()).getElementsByTagName(name).item(0);
    }

    private Cli run() throws Exception {
        List<String> arguments = new ArrayList<>();
        NodeList given = loading().getElementsByTagName("arg");
        for (int i = 0; i < given.getLength(); i++) {
            Element one = (Element) given.item(i);
            arguments.addAll(
                    one.hasAttribute("line")
                            ? List.of(one.getAttribute("line").split(" "))
                            : List.of(one.getAttribute("value")));
        }
        arguments.replaceAll(argument -> argument.equals("${plugins}") ? folder.toString() : argument);
        return Cli.run(arguments.toArray(String[]::new));
    }

    @Test
    void aFileThatIsNoPluginEndsTheBuildsCommandWithItsReason() throws Exception {
        Cli.plugins(folder);
        assertThat(run().code()).isZero();

        Files.writeString(folder.resolve("broken.jar"), "no jar");
        Cli run = run();

        assertThat(run.code()).isNotZero();
        assertThat(run.err()).contains("broken.jar");
        assertThat(run.err().lines().filter(line -> line.contains("broken.jar")))
                .singleElement()
                .asString()
                .as("with a code and a reason")
                .matches(".*[A-Z][A-Za-z]+: .*broken\\.jar.+");
    }

    @Test
    void theBuildFailsByThatResultAndPrintsThatReason() throws Exception {
        Element loading = loading();
        Element reason = beside(loading, "loadfile");
        Element fail = beside(loading, "fail");
        Element result = (Element) fail.getElementsByTagName("equals").item(0);

        assertThat(loading.getAttribute("failonerror"))
                .as("the reason has to be read first")
                .isEqualTo("false");
        assertThat(reason.getAttribute("srcfile")).isEqualTo(loading.getAttribute("error"));
        assertThat(fail.getAttribute("message")).contains("${" + reason.getAttribute("property") + "}");
        assertThat(result.getParentNode().getNodeName()).isEqualTo("not");
        assertThat(result.getAttribute("arg1")).isEqualTo("${" + loading.getAttribute("resultproperty") + "}");
        assertThat(result.getAttribute("arg2")).isEqualTo("0");
    }
}
