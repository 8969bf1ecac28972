package dev.sro.runtime.scaffold;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * The archetype of plugins, as Maven's archetype plugin would read it: its properties, and its files with the properties put in. Of
 * what that plugin's templates can do, this knows the properties alone. Immutable.
 */
final class ProjectTemplate {

    private static final String DESCRIPTOR = "META-INF/maven/archetype-metadata.xml";
    private static final String FILES = "archetype-resources/";
    private static final Pattern PROPERTY = Pattern.compile("\\$\\{([A-Za-z]+)}");
    private static final Pattern IN_NAME = Pattern.compile("__([A-Za-z]+)__");

    /**
     * A property of the projects.
     *
     * @param otherwise its value when none is given
     * @param pattern what a value has to match
     */
    record Property(String otherwise, Pattern pattern) {}

    /** @param packaged whether it is in the folder of the package */
    private record TemplateFile(String folder, String name, boolean packaged) {}

    private final Map<String, Property> properties = new LinkedHashMap<>();
    private final List<TemplateFile> files = new ArrayList<>();

    private ProjectTemplate(Element descriptor) {
        for (Element property : elements(descriptor, "requiredProperty")) {
            String pattern = text(property, "validationRegex");
            properties.put(
                    property.getAttribute("key"),
                    new Property(
                            text(property, "defaultValue"), Pattern.compile(pattern.isEmpty() ? "[\\w.-]+" : pattern)));
        }
        files.add(new TemplateFile("", "pom.xml", false));
        for (Element set : elements(descriptor, "fileSet")) {
            boolean packaged = Boolean.parseBoolean(set.getAttribute("packaged"));
            String folder = text(set, "directory");
            elements(set, "include")
                    .forEach(file -> files.add(new TemplateFile(
                            folder.isEmpty() ? "" : folder + "/",
                            file.getTextContent().strip(),
                            packaged)));
        }
    }

    /** The one that comes with SRO. */
    static ProjectTemplate shipped() {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        try (InputStream in = open(DESCRIPTOR)) {
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            return new ProjectTemplate(factory.newDocumentBuilder().parse(in).getDocumentElement());
        } catch (ParserConfigurationException | SAXException e) {
            throw new IllegalStateException(DESCRIPTOR, e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** By name. */
    Map<String, Property> properties() {
        return properties;
    }

    /**
     * The files of a project, by their paths in it.
     *
     * @param values of all properties
     */
    SortedMap<String, String> files(Map<String, String> values) {
        SortedMap<String, String> all = new TreeMap<>();
        for (TemplateFile file : files) {
            String folder = file.folder()
                    + (file.packaged() ? values.getOrDefault("package", "").replace('.', '/') + "/" : "");
            all.put(
                    folder + replaced(file.name(), IN_NAME, values),
                    replaced(text(FILES + file.folder() + file.name()), PROPERTY, values));
        }
        return all;
    }

    /** What is no property is SRO's to replace, when it renders manifests. */
    private static String replaced(String text, Pattern pattern, Map<String, String> values) {
        return pattern.matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(values.getOrDefault(found.group(1), found.group())));
    }

    private static String text(String path) {
        try (InputStream in = open(path)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InputStream open(String path) {
        InputStream in = ProjectTemplate.class.getClassLoader().getResourceAsStream(path);
        if (in == null) {
            throw new IllegalStateException("missing on the class path: " + path);
        }
        return in;
    }

    private static List<Element> elements(Element in, String name) {
        NodeList found = in.getElementsByTagName(name);
        List<Element> all = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            all.add((Element) found.item(i));
        }
        return all;
    }

    private static String text(Element in, String name) {
        List<Element> found = elements(in, name);
        return found.isEmpty() ? "" : found.get(0).getTextContent().strip();
    }
}
