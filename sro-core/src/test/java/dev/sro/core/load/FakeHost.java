package dev.sro.core.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A directory that looks like a node and an image, with a kmod that keeps its state in files. What it is called with is in
 * {@link #log()}.
 */
final class FakeHost {

    static final String KERNEL = "6.1.0-test";

    /** Stands in for the kernel: a loaded module is a directory in sys/module and a line in proc/modules. */
    private static final String MODPROBE = """
        #!/bin/sh
        printf 'modprobe' >> "$LOG"; printf ' <%s>' "$@" >> "$LOG"; printf '\\n' >> "$LOG"
        remove=; name=; parameters=; tree=
        while [ $# -gt 0 ]; do
            case $1 in
                -r) remove=1 ;;
                -d) shift; tree=$1/lib/modules/$(uname -r) ;;
                -*) ;;
                *) if [ -z "$name" ]; then name=$1; else parameters="$parameters $1"; fi ;;
            esac
            shift
        done
        if [ -e "$FAIL/$name" ]; then
            cat "$FAIL/$name" >> "$KERNEL_LOG"
            echo "modprobe: ERROR: could not insert '$name': refused" >&2
            echo "insmod /opt/$name.ko"
            exit 1
        fi
        if [ -d "$tree" ] && [ ! -e "$tree/modules.dep" ]; then echo "modprobe: FATAL: Module $name not found." >&2; exit 1; fi
        kernel=$(printf '%s' "$name" | sed 's/-/_/g')
        if [ -n "$remove" ]; then
            if [ "$(cat "$SRO_SYS/module/$kernel/refcnt" 2> /dev/null || echo 0)" != 0 ]; then
                echo "modprobe: FATAL: Module $name is in use." >&2
                exit 1
            fi
            rm -rf "$SRO_SYS/module/$kernel"
            grep -v "^$kernel " "$SRO_PROC/modules" > "$SRO_PROC/modules.new"
            mv "$SRO_PROC/modules.new" "$SRO_PROC/modules"
            exit 0
        fi
        if [ -d "$SRO_SYS/module/$kernel" ]; then exit 0; fi
        mkdir -p "$SRO_SYS/module/$kernel/parameters" "$SRO_SYS/module/$kernel/holders"
        echo 0 > "$SRO_SYS/module/$kernel/refcnt"
        for parameter in $parameters; do
            printf '%s\\n' "${parameter#*=}" > "$SRO_SYS/module/$kernel/parameters/${parameter%%=*}"
        done
        printf '%s 16384 0 - Live 0x0\\n' "$kernel" >> "$SRO_PROC/modules"
        """;

    private static final String LOGGING = """
        #!/bin/sh
        printf '%s' "${0##*/}" >> "$LOG"; printf ' <%s>' "$@" >> "$LOG"; printf '\\n' >> "$LOG"
        """;

    private final Path root;
    private final Map<String, String> environment = new LinkedHashMap<>();

    /** What a run printed, and how it ended. */
    record Result(int code, String out) {
        String lastLine() {
            List<String> lines = out.strip().lines().toList();
            return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
        }
    }

    FakeHost(Path root) {
        this.root = root;
        file("proc/modules", "");
        file("proc/cmdline", "BOOT_IMAGE=/vmlinuz root=/dev/sda1 quiet\n");
        file("proc/sys/kernel/random/boot_id", "boot-1\n");
        file("sys/module/firmware_class/parameters/path", "\n");
        file("host/lib/modules/" + KERNEL + "/modules.dep", "kernel/net/dummy.ko.xz: kernel/net/core.ko.xz\n");
        file("image/lib/modules/" + KERNEL + "/modules.dep", "");
        program("modprobe", MODPROBE);
        file("kernel-log", "[ 1.0] gpu: gone\n[ 1.1] Loading of unsigned module is rejected\n");
        set("KERNEL_LOG", path("kernel-log"));
        program("dmesg", "#!/bin/sh\ncat \"$KERNEL_LOG\"\n");
        program("rmmod", LOGGING + "exit 1\n");
        program("depmod", LOGGING + ": > \"$2/lib/modules/$3/modules.dep\"\n");
        program("modinfo", "#!/bin/sh\nfor last; do :; done\ncat \"$SOURCES/$last\" 2> /dev/null || exit 1\n");
        program("uname", "#!/bin/sh\necho " + KERNEL + "\n");
        set("SRO_PROC", path("proc"));
        set("SRO_SYS", path("sys"));
        set("SRO_HOST", path("host"));
        set("SRO_ETC", path("etc"));
        set("SRO_RUN", path("run"));
        set("LOG", path("log"));
        set("FAIL", path("fail"));
        set("SOURCES", path("sources"));
        file("run/.keep", "");
        file("fail/.keep", "");
        file("sources/.keep", "");
    }

    String path(String name) {
        return root.resolve(name).toString();
    }

    String image() {
        return path("image");
    }

    FakeHost set(String name, String value) {
        environment.put(name, value);
        return this;
    }

    FakeHost file(String name, String content) {
        try {
            Path file = root.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, content);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    FakeHost remove(String name) {
        try {
            Files.delete(root.resolve(name));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As if something else had loaded it. */
    FakeHost loaded(String module, String parameter, String value) {
        file("sys/module/" + module + "/parameters/" + parameter, value + "\n");
        file("sys/module/" + module + "/refcnt", "0\n");
        return file("proc/modules", read("proc/modules") + module + " 1 0 - Live 0x0\n");
    }

    boolean exists(String name) {
        return Files.exists(root.resolve(name));
    }

    String read(String name) {
        try {
            return Files.exists(root.resolve(name)) ? Files.readString(root.resolve(name)) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<String> log() {
        return read("log")
                .lines()
                .map(line -> line.replace(root.toString(), ""))
                .toList();
    }

    FakeHost forget() {
        return file("log", "");
    }

    private void program(String name, String text) {
        file("bin/" + name, text);
        try {
            Files.setPosixFilePermissions(root.resolve("bin/" + name), PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Result run(String script, String task) {
        try {
            ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", "eval \"$SRO_SCRIPT\"", "sro", task);
            builder.environment().putAll(environment);
            builder.environment().put("SRO_SCRIPT", script);
            builder.environment().put("PATH", path("bin") + ":/usr/bin:/bin");
            Process shell = builder.redirectErrorStream(true).start();
            shell.getOutputStream().close();
            String out = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!shell.waitFor(20, TimeUnit.SECONDS)) {
                shell.destroyForcibly();
                throw new IllegalStateException("the script does not end: " + out);
            }
            return new Result(shell.exitValue(), out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
