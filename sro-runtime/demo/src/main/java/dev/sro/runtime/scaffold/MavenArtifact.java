package dev.sro.runtime.scaffold;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * One of SRO's artifacts as a Maven repository has it. Immutable.
 *
 * @param name the artifact id
 * @param version the version
 * @param pom the text of its pom
 * @param jar its jar; empty where there is a pom alone
 */
record MavenArtifact(String name, String version, String pom, Optional<Path> jar) {

    /** How many artifacts are poms alone: the parent, and sro-bom. */
    static final int POMS = 2;

    private static final String GROUP = "dev/sro";

    /** Where Maven puts the pom of a jar. */
    private static final String DESCRIPTORS = "META-INF/maven/dev.sro/";

    /** Those that the command line runs, and those that it only installs. */
    private static final List<String> FOLDERS = List.of("lib", "plugins", "artifacts");

    /** Those of a folder with {@code lib}, {@code plugins} and {@code artifacts}, by name, and the poms that have no jar. */
    static List<MavenArtifact> of(Path home) throws IOException {
        List<MavenArtifact> artifacts = new ArrayList<>();
        for (String pom : List.of("parent/pom.xml", "bom/pom.xml")) {
            try (InputStream text = MavenArtifact.class.getResourceAsStream(pom)) {
                if (text == null) {
                    throw new IOException(pom + " is not in this jar of SRO");
                }
                artifacts.add(read(utf8(text), Optional.empty()));
            }
        }
        for (String folder : FOLDERS) {
            if (Files.isDirectory(home.resolve(folder))) {
                try (DirectoryStream<Path> jars = Files.newDirectoryStream(home.resolve(folder), "sro-*.jar")) {
                    for (Path jar : jars) {
                        artifacts.add(of(new JarFile(jar.toFile()), jar));
                    }
                }
            }
        }
        artifacts.sort(Comparator.comparing(MavenArtifact::name));
        return artifacts;
    }

    private static MavenArtifact of(JarFile file, Path jar) throws IOException {
        try (file) {
            JarEntry pom = file.stream()
                    .filter(entry -> entry.getName().startsWith(DESCRIPTORS)
                            && entry.getName().endsWith("/pom.xml"))
                    .findFirst()
                    .orElseThrow(() -> new IOException(jar.getFileName() + " has no pom.xml below " + DESCRIPTORS));
            try (InputStream text = file.getInputStream(pom)) {
                return read(utf8(text), Optional.of(jar));
            }
        }
    }

    private static MavenArtifact read(String pom, Optional<Path> jar) throws IOException {
        try {
            Element project = DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .parse(new ByteArrayInputStream(pom.getBytes(StandardCharsets.UTF_8)))
                    .getDocumentElement();
            String version = child(project, "version")
                    .or(() -> element(project, "parent").flatMap(parent -> child(parent, "version")))
                    .orElseThrow(() -> new IOException("a pom has no version"));
            String name = child(project, "artifactId").orElseThrow(() -> new IOException("a pom has no artifactId"));
            return new MavenArtifact(name, version, pom, jar);
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException("a pom of SRO is no XML", e);
        }
    }

    private static String utf8(InputStream text) throws IOException {
        return new String(text.readAllBytes(), StandardCharsets.UTF_8);
    }

    private static Optional<Element> element(Element parent, String name) {
        for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element && element.getTagName().equals(name)) {
                return Optional.of(element);
            }
        }
        return Optional.empty();
    }

    private static Optional<String> child(Element parent, String name) {
        return element(parent, name).map(element -> element.getTextContent().strip());
    }

    /** Writes it into a repository, over what is there. */
    void install(Path repository) throws IOException {
        Path folder = repository.resolve(GROUP).resolve(name).resolve(version);
        Files.createDirectories(folder);
        // It says which remote repository an artifact came from; this one came from none.
        Files.deleteIfExists(folder.resolve("_remote.repositories"));
        if (jar.isPresent()) {
            Files.copy(jar.get(), folder.resolve(name + "-" + version + ".jar"), StandardCopyOption.REPLACE_EXISTING);
        }
        Files.writeString(folder.resolve(name + "-" + version + ".pom"), pom);
    }
}
