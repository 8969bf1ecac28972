package dev.sro.agent.slice;

import dev.sro.agent.file.Disk;
import dev.sro.agent.file.WholeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Specifications that say no more than the UUIDs of a claim. */
record DiskFiles(Disk disk, Path directory) implements ClaimFiles {
    static String text(List<Holding> slices) {
        return slices.stream().map(Holding::uuid).sorted().collect(Collectors.joining(" "));
    }

    private WholeFile file(String uid) {
        return new WholeFile(disk, directory.resolve(uid + ".json"));
    }

    @Override
    public boolean write(ClaimRef claim, List<Holding> slices) throws IOException {
        byte[] bytes = text(slices).getBytes(StandardCharsets.UTF_8);
        if (file(claim.uid()).read().filter(old -> Arrays.equals(old, bytes)).isPresent()) {
            return false;
        }
        file(claim.uid()).write(bytes);
        return true;
    }

    @Override
    public void remove(String uid) throws IOException {
        file(uid).delete();
    }

    @Override
    public Set<String> claims() throws IOException {
        return disk.list(directory).stream()
                .map(file -> file.getFileName().toString())
                .filter(name -> name.endsWith(".json"))
                .map(name -> name.substring(0, name.length() - ".json".length()))
                .collect(Collectors.toSet());
    }
}
