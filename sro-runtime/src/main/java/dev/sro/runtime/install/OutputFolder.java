package dev.sro.runtime.install;

import dev.sro.runtime.UnusableInputException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Where commands write many files to. Stateless. */
public final class OutputFolder {

    private OutputFolder() {}

    /**
     * Writes files and prints the path of each; files of the same names are replaced.
     *
     * @param folder which is made if it is not there
     * @param files contents by path in the folder
     * @throws UnusableInputException if the folder is a file
     */
    public static void write(Path folder, Map<String, String> files, PrintWriter out) throws IOException {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new UnusableInputException(folder.toString(), "is no directory; name another one");
        }
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = folder.resolve(file.getKey());
            Path parent = path.getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            Files.writeString(path, file.getValue());
            out.println(path);
        }
        out.flush();
    }
}
