// SPDX-License-Identifier: GPL-2.0
// Answers in /proc/simple-procfs-kmod.
#include <linux/init.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>

MODULE_DESCRIPTION("Answers in /proc/simple-procfs-kmod");
MODULE_LICENSE("GPL");

static int show(struct seq_file *file, void *unused)
{
	seq_puts(file, "simple-procfs-kmod answers\n");
	return 0;
}

static int __init simple_procfs_init(void)
{
	return proc_create_single("simple-procfs-kmod", 0444, NULL, show) ? 0 : -ENOMEM;
}

static void __exit simple_procfs_exit(void)
{
	remove_proc_entry("simple-procfs-kmod", NULL);
}

module_init(simple_procfs_init);
module_exit(simple_procfs_exit);
