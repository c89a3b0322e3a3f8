[(block) (list) (group)] @fold
